import { resolve } from 'node:path'
import type { Command } from 'commander'
import { formatDuration, formatPercent, formatSize } from '../../shared/wording/format.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { Failure } from './errors.ts'
import { addReadCommand, type ReadOptions } from './options.ts'
import { print, printJson, report } from './output.ts'

/** `backup`. */
export function addBackupCommand(program: Command): void {
  addReadCommand(program, 'backup', 'copy the database into one file, while the server runs')
    .argument('<file>', 'where the copy goes')
    .option('--force', 'replace the file where it exists')
    .action(backup)
}

async function backup(file: string, options: ReadOptions & { force?: boolean }): Promise<void> {
  const { existingStorage } = await import('./database.ts')
  const engine = existingStorage(options)
  const target = resolve(file)
  const progress = new Progress()
  const result = await engine
    .backup(file, {
      overwrite: options.force,
      onProgress: (done, total) => progress.show(done / total),
      signal: interruption(),
    })
    .finally(() => progress.end())
    .catch((error) => {
      if (!(error instanceof StorageError) || error.code !== 'replaceable') throw error
      const fix = 'Name another file, or overwrite it with --force.'
      throw new Failure(`${target} already exists. ${fix}`)
    })
  if (options.json) {
    printJson({ file: target, ...result })
    return
  }
  const took = formatDuration(result.milliseconds / 1_000, 'second', 1)
  print(`Backed up ${formatSize(result.bytes)} to ${target} in ${took}; the copy was checked.`)
}

/** Aborts at the first SIGINT or SIGTERM; then nothing is left behind. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new Failure('the backup was interrupted; nothing was kept'))
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  return controller.signal
}

/** How far the copy is: on stderr, one line that changes on a terminal, a line a quarter elsewhere. */
class Progress {
  #shown = -1

  show(share: number): void {
    const percent = Math.floor(share * 100)
    if (process.stderr.isTTY) {
      if (percent === this.#shown) return
      process.stderr.write(`\rcopying: ${formatPercent(percent)}`)
      this.#shown = percent
      return
    }
    const quarter = Math.floor(percent / 25)
    if (quarter <= this.#shown) return
    report(percent === 100 ? 'copied, checking the copy' : `copying: ${formatPercent(percent)}`)
    this.#shown = quarter
  }

  end(): void {
    if (process.stderr.isTTY && this.#shown >= 0) process.stderr.write('\r\x1b[K')
  }
}
