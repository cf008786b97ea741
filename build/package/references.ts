import { posix } from 'node:path'

const REFERENCE = /new URL\(\s*(["'`])(\.{1,2}\/[^"'`]+)\1,\s*import\.meta\.url/g

/**
 * Files that a script names beside itself, such as a worker, and that are not among the paths: the
 * build bundles imports, it does not follow these.
 */
export function danglingReferences(
  script: string,
  code: string,
  paths: ReadonlySet<string>,
): readonly string[] {
  return [...code.matchAll(REFERENCE)]
    .map(([, , relative = '']) => posix.join(posix.dirname(script), relative))
    .filter((path) => !paths.has(path))
    .map((path) => `${script} names ${path}, which is not there`)
}
