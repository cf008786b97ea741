import type { Command } from 'commander'
import { ReleaseListAnswer } from '../../../shared/release.ts'
import { addListCommand } from '../options.ts'
import { addPlanCommands } from '../plan/commands.ts'
import { text } from '../strings/release.ts'
import { addCheckCommand } from './release-check.ts'
import { addHealthCommand } from './release-health.ts'
import { addProveCommand } from './release-prove.ts'
import { printReleases } from './release-table.ts'

/** `release list`, `release check`, `release prove`, `release plan` and `release health`. */
export function addReleaseCommands(program: Command): void {
  const release = program.command('release').description(text.description)

  addListCommand(
    release,
    text.list,
    ReleaseListAnswer,
    (server, query) => server.commandLine.releases.query(query),
    ({ releases }) => printReleases(releases),
  )

  addCheckCommand(release)
  addProveCommand(release)
  addPlanCommands(release)
  addHealthCommand(release)
}
