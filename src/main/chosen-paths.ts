import type { FileKind } from '../shared/console/settings.ts'

/** What a dialog is opened for. */
export type PathKind = FileKind | 'folder'

/**
 * The paths that a person chose in a dialog since the start, by what they were chosen for. The page says
 * paths as well, but it cannot choose them.
 */
export class ChosenPaths {
  readonly #paths = new Map<PathKind, Set<string>>()

  add(kind: PathKind, path: string): void {
    this.#paths.set(kind, new Set([...(this.#paths.get(kind) ?? []), path]))
  }

  has(kind: PathKind, path: string): boolean {
    return this.#paths.get(kind)?.has(path) === true
  }
}
