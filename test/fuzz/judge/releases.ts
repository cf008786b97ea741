import { z } from 'zod'

const Seen = z.looseObject({
  id: z.string(),
  status: z.string(),
  rolloutPct: z.number(),
  offered: z.boolean(),
})
type Seen = z.infer<typeof Seen>
const One = z.looseObject({ release: Seen })
const Many = z.looseObject({ releases: z.array(Seen) })

/** The fields of a release that never change. */
const IMMUTABLE = ['app', 'channel', 'version', 'notes', 'createdAt', 'artifacts'] as const

/** What responses said about releases during the run, and what must never be taken back. */
export class ObservedReleases {
  readonly #first = new Map<string, Seen>()
  readonly #offeredAt = new Map<string, number>()
  readonly #rolledBack = new Set<string>()

  /** Reads the body of any response. Bodies without releases are ignored. */
  observe(body: unknown): void {
    const one = One.safeParse(body)
    const many = Many.safeParse(body)
    const releases = one.success ? [one.data.release] : many.success ? many.data.releases : []
    for (const release of releases) this.#remember(release)
  }

  /** Returns which of these facts are no longer true for the current releases. */
  issues(releases: readonly unknown[]): string[] {
    const now = new Map(
      releases.map((it) => Seen.parse(it)).map((release) => [release.id, release]),
    )
    return [...this.#first].flatMap(([id, first]) => {
      const release = now.get(id)
      if (release === undefined) return [`release ${id} is gone`]
      return this.#takenBack(release, first).map((what) => `release ${id}: ${what}`)
    })
  }

  #remember(release: Seen): void {
    const { id, status, rolloutPct, offered } = release
    if (!this.#first.has(id)) this.#first.set(id, release)
    if (status === 'rolled_back') this.#rolledBack.add(id)
    if (offered) this.#offeredAt.set(id, Math.max(rolloutPct, this.#offeredAt.get(id) ?? 0))
  }

  #takenBack(now: Seen, first: Seen): string[] {
    const least = this.#offeredAt.get(now.id)
    const changed = IMMUTABLE.filter((name) => !sameJson(now[name], first[name]))
    return [
      ...changed.map((name) => `${name} changed`),
      ...(least !== undefined && !now.offered ? ['was offered, and is not any more'] : []),
      ...(least !== undefined && now.rolloutPct < least ? [`was lowered from ${least}`] : []),
      ...(this.#rolledBack.has(now.id) && now.status !== 'rolled_back' ? ['is served again'] : []),
    ]
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
