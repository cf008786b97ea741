import type { Command } from 'commander'
import { ReleaseCheckAnswer, UpdaterClient } from '../../../shared/release-check.ts'
import { checkReleaseFiles } from '../../updaters/check-release.ts'
import { Failure } from '../errors.ts'
import { addVersionCommand, type CommandOptions, several, valid } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { text } from '../strings/release-check.ts'

/** An update check hands out any file: an app must say that it installs them itself. */
const UPDATERS = UpdaterClient.options.filter((client) => client !== 'update_check')

interface CheckOptions extends CommandOptions {
  readonly client?: readonly UpdaterClient[]
}

/** `release check`. */
export function addCheckCommand(release: Command): void {
  addVersionCommand(release, 'check', text.description, ReleaseCheckAnswer)
    .option('--client <client>', text.client(UpdaterClient.options), several(valid(UpdaterClient)))
    .action(check)
}

/** Throws `Failure` if no client is offered some file. */
async function check(
  app: string,
  channel: string,
  version: string,
  options: CheckOptions,
): Promise<void> {
  const { withServer } = await import('../server/connect.ts')
  const release = await withServer(options, (server) =>
    server.commandLine.release.query({ app, channel, version }),
  )
  const { client = UPDATERS, json = false } = options
  const { targets, unoffered } = checkReleaseFiles(release, client)
  const { status } = release
  if (json) {
    const place = { app: release.app, channel: release.channel, version: release.version }
    printJson(ReleaseCheckAnswer, { check: { ...place, status, targets, unoffered } })
  } else {
    printTable(text.headings, targets.map(text.row), text.empty)
    if (status !== 'published') print(text.notPublished(release.version, status))
  }
  if (unoffered.length > 0) throw new Failure(text.unoffered(unoffered, options.client))
}
