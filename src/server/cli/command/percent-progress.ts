import { report } from './output.ts'
import { interruptible } from './signals.ts'

interface ProgressWords {
  readonly part: (percent: number) => string
  readonly all: string
}

/** Shows progress on stderr: on a terminal as one line that changes, elsewhere as a line per quarter. */
export class PercentProgress {
  readonly #words: ProgressWords
  #shown = -1

  constructor(words: ProgressWords) {
    this.#words = words
  }

  /** `share`: from 0 to 1. */
  show(share: number): void {
    const percent = Math.floor(share * 100)
    if (process.stderr.isTTY) {
      if (percent === this.#shown) return
      process.stderr.write(`\r${this.#words.part(percent)}`)
      this.#shown = percent
      return
    }
    const quarter = Math.floor(percent / 25)
    if (quarter <= this.#shown) return
    report(percent === 100 ? this.#words.all : this.#words.part(percent))
    this.#shown = quarter
  }

  end(): void {
    if (process.stderr.isTTY && this.#shown >= 0) process.stderr.write('\r\x1b[K')
  }
}

/** Runs `work` as `interruptible` does, and shows how much of it is done. */
export async function shownWork<T>(
  words: ProgressWords,
  reason: () => Error,
  work: (signal: AbortSignal, show: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = new PercentProgress(words)
  const show = (done: number, total: number) => {
    if (total > 0) progress.show(done / total)
  }
  try {
    return await interruptible(reason, (signal) => work(signal, show))
  } finally {
    progress.end()
  }
}
