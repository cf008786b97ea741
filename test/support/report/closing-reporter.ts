import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { missingTools, otherReasons } from './skipped-tests.ts'
import { slowestFiles } from './slowest-files.ts'

/** Ends the report of a run with its slowest files, the tools that were missing, and how to run again what failed. */
export class ClosingReporter implements Reporter {
  readonly #rerun: string
  #vitest: Vitest | undefined

  /** `rerun`: the command that runs the failed tests of the last run. */
  constructor(rerun: string) {
    this.#rerun = rerun
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const hasFailed = modules.some((module) => !module.ok())
    const again = hasFailed ? [`Run what failed again: ${this.#rerun}`] : []
    for (const lines of [
      slowestFiles(modules),
      missingTools(modules),
      otherReasons(modules),
      again,
    ]) {
      if (lines.length > 0) this.#vitest?.logger.log(`${lines.join('\n')}\n`)
    }
  }
}

/** Returns the reporters of a configuration: a line for each file, all about a failure, and the closing. */
export function reporters(rerun: string): (Reporter | 'default' | 'github-actions')[] {
  const onGithub = process.env.GITHUB_ACTIONS === 'true'
  return ['default', ...(onGithub ? (['github-actions'] as const) : []), new ClosingReporter(rerun)]
}
