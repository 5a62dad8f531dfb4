import { createContext, useContext } from 'react';
import type { InspectorView } from '../../extension/protocol';
import type { Inspector, WindowState } from './inspector';
import { usePart } from './store';

const Context = createContext<Inspector | null>(null);

export const InspectorProvider = Context.Provider;

export function useInspector(): Inspector {
  const inspector = useContext(Context);
  if (!inspector) throw new Error('There is no inspector around this component.');
  return inspector;
}

export function useWindow<P>(part: (state: WindowState) => P): P {
  return usePart(useInspector().state, part);
}

/** The view, for components that are only drawn once there is one. */
export function useView<P>(part: (view: InspectorView) => P): P {
  return usePart(useInspector().state, ({ view }) => {
    if (!view) throw new Error('There is no view yet.');
    return part(view);
  });
}
