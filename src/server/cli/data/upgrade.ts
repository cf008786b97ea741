import type { Command } from 'commander'
import { VERSION } from '../../runtime/version.ts'
import type { UpgradePlan } from '../../storage/interface/engine.ts'
import { Failure } from '../command/errors.ts'
import { addLocalCommand, type ReadOptions } from '../command/options.ts'
import { print, printAnswer } from '../command/output.ts'
import { UpgradeDocument } from '../documents/documents.ts'
import { text as words } from '../strings/database.ts'

interface UpgradeOptions extends ReadOptions {
  readonly check?: boolean
}

/** `upgrade`. */
export function addUpgradeCommand(program: Command): void {
  addLocalCommand(program, 'upgrade', words.upgrade.description, UpgradeDocument)
    .option('--check', words.upgrade.check)
    .action(upgrade)
}

async function upgrade(options: UpgradeOptions): Promise<void> {
  const { existingStorage } = await import('./database.ts')
  const engine = await existingStorage(options)
  const plan = await engine.planUpgrade()
  if (options.check === true) {
    const answer = { version: VERSION, isReady: hasSpace(plan), ...plan }
    printAnswer(options, UpgradeDocument, answer, () => printPlan(plan))
    requireSpace(plan)
    return
  }
  requireSpace(plan)
  const result = await engine.upgrade()
  const { from, to, copy } = result
  const lines = from === to ? [words.upgrade.isCurrent] : words.upgrade.done(from, to, copy)
  printAnswer(options, UpgradeDocument, result, lines)
}

function printPlan(plan: UpgradePlan): void {
  const { file, from, to, copy, neededBytes, freeBytes, isInUse, holder } = plan
  print(words.upgrade.database(file))
  print(words.upgrade.schema(from, to, VERSION))
  print(isInUse ? words.upgrade.inUse(holder) : words.upgrade.notInUse)
  if (copy !== null) {
    print(words.upgrade.copy(copy))
    print(words.upgrade.disk(neededBytes, freeBytes))
  }
  print('')
  if (from === to) print(words.upgrade.isCurrent)
  else if (copy === null)
    print(isInUse ? words.upgrade.stopNodes : words.upgrade.isReadyWithoutCopy)
  else if (hasSpace(plan)) print(isInUse ? words.upgrade.stopFirst : words.upgrade.isReady)
}

function hasSpace({ neededBytes, freeBytes }: UpgradePlan): boolean {
  return freeBytes === undefined || freeBytes >= neededBytes
}

function requireSpace(plan: UpgradePlan): void {
  if (hasSpace(plan)) return
  throw new Failure(words.upgrade.noSpace(plan.neededBytes, plan.freeBytes ?? 0))
}
