import { resolve } from 'node:path'
import type { Command } from 'commander'
import { StorageError } from '../storage/interface/storage-error.ts'
import { Failure } from './errors.ts'
import { addReadCommand, type ReadOptions } from './options.ts'
import { print, printJson, report } from './output.ts'
import { text } from './strings/database.ts'

const words = text.backup

/** `backup`. */
export function addBackupCommand(program: Command): void {
  addReadCommand(program, 'backup', words.description)
    .argument('<file>', words.file)
    .option('--force', words.force)
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
      throw new Failure(words.exists(target))
    })
  if (options.json) {
    printJson({ file: target, ...result })
    return
  }
  print(words.done(result.bytes, target, result.milliseconds / 1_000))
}

/** Aborts at the first SIGINT or SIGTERM. The incomplete backup is then deleted. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new Failure(words.interrupted))
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  return controller.signal
}

/** Shows the progress on stderr: on a terminal as one line that changes, elsewhere as a line per quarter. */
class Progress {
  #shown = -1

  show(share: number): void {
    const percent = Math.floor(share * 100)
    if (process.stderr.isTTY) {
      if (percent === this.#shown) return
      process.stderr.write(`\r${words.copying(percent)}`)
      this.#shown = percent
      return
    }
    const quarter = Math.floor(percent / 25)
    if (quarter <= this.#shown) return
    report(percent === 100 ? words.verifying : words.copying(percent))
    this.#shown = quarter
  }

  end(): void {
    if (process.stderr.isTTY && this.#shown >= 0) process.stderr.write('\r\x1b[K')
  }
}
