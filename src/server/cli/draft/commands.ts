import { type Command, InvalidArgumentError, Option } from 'commander'
import { DraftAnswer, DraftListAnswer, ExpectedArtifact } from '../../../shared/draft.ts'
import { issueOf } from '../../../shared/issue.ts'
import { ChannelName } from '../../../shared/names.ts'
import { ReleaseListQuery } from '../../../shared/release.ts'
import { PublishedDocument } from '../documents/documents.ts'
import {
  addServerCommand,
  addVersionCommand,
  type CommandOptions,
  several,
  valid,
  validNumber,
} from '../options.ts'
import { percentage } from '../percentage.ts'
import { addPlanOptions } from '../plan/plan-options.ts'
import { IF_EXISTS } from '../publish/publish-or-same.ts'
import { addTargetOptions } from '../publish/target-options.ts'
import { text } from '../strings/draft.ts'
import type { ListOptions } from './list.ts'
import type { PublishOptions } from './publish.ts'

const { page, per_page: perPage } = ReleaseListQuery.shape

/** `draft list`, `draft show`, `draft publish`, `draft delete`. */
export function addDraftCommands(program: Command): void {
  const draft = program.command('draft').description(text.description)

  addServerCommand(draft, 'list', text.list.description, DraftListAnswer)
    .argument('[app]', text.list.app)
    .option('--channel <channel>', text.list.channel, valid(ChannelName))
    .option('--page <n>', text.list.page, validNumber(page))
    .option('--per-page <n>', text.list.perPage, validNumber(perPage))
    .action(async (app: string | undefined, options: ListOptions) => {
      const { list } = await import('./list.ts')
      await list(app, options)
    })

  addVersionCommand(draft, 'show', text.show, DraftAnswer, text.version).action(
    async (app: string, channel: string, version: string, options: CommandOptions) => {
      const { show } = await import('./show.ts')
      await show({ app, channel, version }, options)
    },
  )

  const publish = addVersionCommand(draft, 'publish', text.publish, PublishedDocument, text.version)
    .option('--expect <platform/arch[/kind]>', text.expect, several(readExpected))
    .option('--rollout <pct>', text.rollout, percentage)
  addTargetOptions(addPlanOptions(publish))
    .addOption(new Option('--if-exists <what>', text.ifExists).choices(IF_EXISTS))
    .action(async (app: string, channel: string, version: string, options: PublishOptions) => {
      const { publish } = await import('./publish.ts')
      await publish({ app, channel, version }, options)
    })

  addVersionCommand(draft, 'delete', text.delete, DraftAnswer, text.version).action(
    async (app: string, channel: string, version: string, options: CommandOptions) => {
      const { discard } = await import('./show.ts')
      await discard({ app, channel, version }, options)
    },
  )
}

/** Reads the option `--expect`: `windows/x86_64`, or `linux/x86_64/deb` for an artifact of that kind. */
function readExpected(typed: string): ExpectedArtifact {
  const [platform, arch, kind, ...rest] = typed.split('/')
  if (arch === undefined || rest.length > 0 || kind === '') {
    throw new InvalidArgumentError(text.expectForm)
  }
  const result = ExpectedArtifact.safeParse({ platform, arch, kind })
  if (result.success) return result.data
  const { path, reason } = issueOf(result.error, { platform, arch, kind })
  throw new InvalidArgumentError(text.wrongExpect(path.join('.'), reason))
}
