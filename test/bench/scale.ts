/** How large pools are and how long rounds last. Times in milliseconds. */
export interface Scale {
  readonly fewDevices: number
  readonly manyDevices: number
  readonly fewReleases: number
  readonly manyReleases: number
  readonly rounds: number
  readonly warmUpMs: number
  /** The start of every round that is not measured. */
  readonly leadInMs: number
  readonly measureMs: number
  /** The timeout of the entire run. */
  readonly boundMs: number
}

export const FULL: Scale = {
  fewDevices: 1_000,
  manyDevices: 1_000_000,
  fewReleases: 10,
  manyReleases: 5_000,
  rounds: 5,
  warmUpMs: 4_000,
  leadInMs: 500,
  measureMs: 4_000,
  boundMs: 60 * 60_000,
}

/** For a smoke run: shows that everything works, not how fast. */
export const QUICK: Scale = {
  fewDevices: 1_000,
  manyDevices: 20_000,
  fewReleases: 10,
  manyReleases: 200,
  rounds: 3,
  warmUpMs: 500,
  leadInMs: 100,
  measureMs: 700,
  boundMs: 10 * 60_000,
}
