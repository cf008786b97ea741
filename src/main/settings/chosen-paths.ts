import type { FileKind } from '../../shared/console/settings.ts'

/** The purpose of a dialog. */
export type PathKind = FileKind | 'folder'

/**
 * The paths that the person has chosen in dialogs since startup, by purpose. The page also sends paths,
 * but it cannot choose them.
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
