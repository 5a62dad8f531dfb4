/** Looks at a value; gives the place and kind of the first fault, or null. */
export type Shape = (value: unknown, path: string) => string | null;

const basic =
  (type: 'string' | 'number' | 'boolean'): Shape =>
  (value, path) =>
    typeof value === type ? null : `${path} is no ${type}`;

export const text = basic('string');
export const flag = basic('boolean');
export const number: Shape = (value, path) => (Number.isFinite(value) ? null : `${path} is no number`);
export const any: Shape = () => null;

export const oneOf =
  (...allowed: readonly string[]): Shape =>
  (value, path) =>
    typeof value === 'string' && allowed.includes(value) ? null : `${path} is none of ${allowed.join(', ')}`;

export const nullable =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? null : shape(value, path);

export const list =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is no list`;
    for (let index = 0; index < value.length; index++) {
      const fault = shape(value[index], `${path}[${index}]`);
      if (fault) return fault;
    }
    return null;
  };

/** Further members are let through: a newer host may send more. */
export const object =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} is no object`;
    for (const [key, shape] of Object.entries(members)) {
      const fault = shape((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`);
      if (fault) return fault;
    }
    return null;
  };
