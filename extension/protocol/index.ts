export * from '../engine/rows/row';
export * from './channel';
export * from './messages';
export * from './view';
