import type { Command } from 'commander'
import { z } from 'zod'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { ProvingPolicy, SignatureFormat } from '../../../shared/files/proof.ts'
import { ChannelName, Version } from '../../../shared/names.ts'
import { ChannelPolicy, RollbackPolicy, UpdateMode } from '../../../shared/releases/channel.ts'
import {
  AcceptedFinding,
  PreflightCode,
  PreflightPolicy,
} from '../../../shared/releases/preflight-policy.ts'
import { Refusal } from '../../catalog/errors.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { printAnswer, printTable } from '../command/output.ts'
import { several, valid } from '../command/valid.ts'
import {
  ChannelDocument,
  type ChannelShown,
  ChannelsDocument,
  PolicyDocument,
} from '../documents/documents.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/catalog.ts'
import { text as common } from '../strings/common.ts'
import { findApp } from './app.ts'
import { addEarlyAccessCommand } from './channel-early-access.ts'

const words = text.channel

/** What an option of its own sets. */
const Member = ChannelPolicy.omit({ earlyAccess: true, acceptedFindings: true }).keyof()

interface PolicyOptions
  extends CommandOptions,
    Partial<Pick<ChannelPolicy, z.infer<typeof Member>>> {
  readonly acceptFinding?: readonly AcceptedFinding[]
  readonly countFinding?: readonly PreflightCode[]
}

const YesOrNo = z.enum(['yes', 'no']).transform((answer) => answer === 'yes')

/** `channel create`, `channel list`, `channel policy`, `channel early-access`. */
export function addChannelCommands(program: Command): void {
  const channel = program.command('channel').description(words.description)

  addServerCommand(channel, 'create', words.create, ChannelDocument)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument, valid(ChannelName))
    .action(create)

  addServerCommand(channel, 'list', words.list, ChannelsDocument)
    .argument('<app>', common.appArgument)
    .action(list)

  addServerCommand(channel, 'policy', words.policy, PolicyDocument)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .option('--update-mode <mode>', words.updateMode(UpdateMode.options), valid(UpdateMode))
    .option('--minimum-supported-version <version>', words.minimumSupportedVersion, valid(Version))
    .option('--rollback <policy>', words.rollback(RollbackPolicy.options), valid(RollbackPolicy))
    .option('--require-approval <yes|no>', words.requireApproval, valid(YesOrNo))
    .option('--proving <policy>', words.proving(ProvingPolicy.options), valid(ProvingPolicy))
    .option('--unchecked-signatures <formats>', words.uncheckedSignatures, formatsOrNone)
    .option(
      '--preflight <policy>',
      words.preflight(PreflightPolicy.options),
      valid(PreflightPolicy),
    )
    .option('--accept-finding <code=reason>', words.acceptFinding, several(acceptedFinding))
    .option('--count-finding <code>', words.countFinding, several(valid(PreflightCode)))
    .option('--manual-checks <yes|no>', words.manualChecks, valid(YesOrNo))
    .option('--count-new-devices <yes|no>', words.countNewDevices, valid(YesOrNo))
    .action(policy)

  addEarlyAccessCommand(channel)
}

async function create(app: string, name: string, options: CommandOptions): Promise<void> {
  const detail = await onServer(options, (server) => server.channels.create.mutate({ app, name }))
  const document = { app: detail.ref, channel: named(detail, name) }
  printAnswer(options, ChannelDocument, document, words.created(name, app))
}

async function list(app: string, options: CommandOptions): Promise<void> {
  const detail = await onServer(options, (server) => findApp(server, app))
  const channels = detail.channels.map(shown)
  const rows = channels.map(({ name, releases, policy, createdAt }) => [
    ...[name, releases, policy.updateMode, policy.minimumSupportedVersion, policy.rollback],
    ...[words.requires(policy.requireApproval), policy.proving, createdAt],
  ])
  printAnswer(options, ChannelsDocument, { app: detail.ref, channels }, () =>
    printTable(words.headings, rows, words.empty),
  )
}

async function policy(app: string, channel: string, options: PolicyOptions): Promise<void> {
  const { ref, policy } = await onServer(options, async (server) => {
    const change = {
      ...changeOf(options),
      ...(await acceptedOf(server, { app, channel }, options)),
    }
    // A change of nothing writes nothing, and needs the right to change.
    if (Object.keys(change).length > 0) {
      const detail = await server.channels.setPolicy.mutate({ app, channel, policy: change })
      return { ref: detail.ref, policy: named(detail, channel).policy }
    }
    const [{ policy }, apps] = await Promise.all([
      server.channels.policy.query({ app, channel }),
      server.apps.list.query(),
    ])
    return { ref: apps.find(({ id }) => id === app)?.ref ?? app, policy }
  })
  printAnswer(options, PolicyDocument, { app: ref, channel, policy }, words.policyLines(policy))
}

/** The list of accepted findings, if it is to change. */
async function acceptedOf(
  server: CommandServer,
  place: { readonly app: string; readonly channel: string },
  { acceptFinding = [], countFinding = [] }: PolicyOptions,
): Promise<Partial<ChannelPolicy>> {
  if (acceptFinding.length + countFinding.length === 0) return {}
  const { policy } = await server.channels.policy.query(place)
  const named = new Set<string>([...countFinding, ...acceptFinding.map(({ code }) => code)])
  const others = policy.acceptedFindings.filter(({ code }) => !named.has(code))
  return { acceptedFindings: [...others, ...acceptFinding] }
}

function acceptedFinding(typed: string): AcceptedFinding {
  const [code = '', reason = ''] = typed.split(/=(.*)/s)
  return valid(AcceptedFinding)({ code, reason })
}

function formatsOrNone(typed: string): SignatureFormat[] {
  return typed === 'none' ? [] : typed.split(',').map(valid(SignatureFormat))
}

function named({ ref, channels }: AppDetail, name: string): ChannelShown {
  const found = channels.find((channel) => channel.name === name)
  if (found === undefined) throw new Refusal({ code: 'unknown_channel', app: ref, channel: name })
  return shown(found)
}

function shown({ name, policy, releases, createdAt }: AppDetail['channels'][number]): ChannelShown {
  return { name, policy, releases, createdAt }
}

function changeOf(options: PolicyOptions): Partial<ChannelPolicy> {
  const given = Member.options.filter((member) => options[member] !== undefined)
  return Object.assign({}, ...given.map((member) => ({ [member]: options[member] })))
}
