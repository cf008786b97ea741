import type { Preview } from '../../shared/console/releases.ts'

/** What a change does to a device. */
export type Effect = 'gaining' | 'losing' | 'movingDown'

type Line = Preview['byLabel'][number]

/** Most names that are counted apart: anybody can send labels. Later ones are left out. */
const MAX_NAMES = 50_000

/** Counts effects by name. */
export class EffectCounts {
  readonly #lines = new Map<string, Line>()

  add(name: string, effects: readonly Effect[]): void {
    let line = this.#lines.get(name)
    if (line === undefined) {
      if (this.#lines.size >= MAX_NAMES) return
      line = { name, gaining: 0, losing: 0, movingDown: 0 }
      this.#lines.set(name, line)
    }
    for (const effect of effects) line[effect]++
  }

  /** The `limit` names with the most effects, most first; equal ones by name. */
  most(limit: number): Line[] {
    return [...this.#lines.values()]
      .sort((one, other) => sum(other) - sum(one) || (one.name < other.name ? -1 : 1))
      .slice(0, limit)
  }
}

function sum({ gaining, losing, movingDown }: Line): number {
  return gaining + losing + movingDown
}
