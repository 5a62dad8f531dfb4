import type { ToolDescription } from '../model';
import { editFileTool } from './editFile';
import { listFilesTool } from './listFiles';
import { readFileTool } from './readFile';
import { runCommandTool } from './runCommand';
import { searchTool } from './search';
import type { Tool } from './tool';
import { writeFileTool } from './writeFile';

/** The tools of our own agent, in the order in which a model is told of them. */
export const tools: readonly Tool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
  searchTool,
  runCommandTool,
];

export const toolDescriptions: readonly ToolDescription[] = tools.map((tool) => tool.description);
