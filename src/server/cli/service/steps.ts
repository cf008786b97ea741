import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { Failure } from '../command/errors.ts'
import { print } from '../command/output.ts'
import { text } from '../strings/service.ts'
import type { Step } from './definition.ts'

const run = promisify(execFile)

/** Milliseconds that a command can take: starting a service can include a migration. */
const PATIENCE = 40 * 60_000

/** Prints what the steps would do, with the files that they would write. */
export function printSteps(steps: readonly Step[]): void {
  for (const step of steps) {
    print(describe(step))
    if (step.kind !== 'write') continue
    for (const line of step.content.trimEnd().split('\n')) print(line === '' ? '' : `    ${line}`)
  }
}

/** Does the steps in order, and prints each unless `quiet`. Throws `Failure` at the first that fails. */
export async function carryOut(
  steps: readonly Step[],
  { quiet = false }: { readonly quiet?: boolean | undefined } = {},
): Promise<void> {
  for (const step of steps) {
    if (!quiet) print(describe(step))
    try {
      await carryOutOne(step)
    } catch (error) {
      if (step.kind === 'run' && step.mayFail) continue
      throw new Failure(text.stepFailed(describe(step), reasonOf(error)))
    }
  }
}

async function carryOutOne(step: Step): Promise<void> {
  switch (step.kind) {
    case 'write': {
      const { encoding = 'utf8' } = step
      const content = encoding === 'utf8' ? step.content : `\uFEFF${step.content}`
      writeFileSync(step.file, content, { encoding, mode: 0o644 })
      return
    }
    case 'folder':
      mkdirSync(step.folder, { recursive: true })
      return
    case 'remove':
      rmSync(step.file, { force: true })
      return
    case 'run':
      await run(step.command, step.args, { timeout: PATIENCE })
      return
    default:
      return step satisfies never
  }
}

function describe(step: Step): string {
  switch (step.kind) {
    case 'write':
      return text.write(step.file)
    case 'folder':
      return text.createFolder(step.folder)
    case 'remove':
      return text.remove(step.file)
    case 'run':
      return text.run(commandLine([step.command, ...step.args]))
    default:
      return step satisfies never
  }
}

/** Returns a command as a person types it, for reading. */
export function commandLine(words: readonly string[]): string {
  const shown = (word: string) => (/^[\w@%/.:+=*()\\-]+$/.test(word) ? word : `"${word}"`)
  return words.map(shown).join(' ')
}

function reasonOf(error: unknown): string {
  const written = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  if (written !== '') return written
  return messageOf(error)
}
