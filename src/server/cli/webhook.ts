import { text as readText } from 'node:stream/consumers'
import type { Command } from 'commander'
import { webhookStatus } from '../../shared/console/webhooks.ts'
import { AppRef, DisplayName } from '../../shared/names.ts'
import { EventType, WebhookFormat, WebhookInput } from '../../shared/webhook.ts'
import {
  ChangedWebhookDocument,
  DeletedWebhookDocument,
  TestedWebhookDocument,
  WebhooksDocument,
  WebhookWithSecretDocument,
} from './documents/webhooks.ts'
import { addServerCommand, type CommandOptions, several, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'
import { text } from './strings/webhook.ts'

const Url = WebhookInput.shape.url

/** `webhook create`, `list`, `disable`, `enable`, `delete` and `test`. */
export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description(text.description)

  addServerCommand(webhook, 'create', text.create, WebhookWithSecretDocument)
    .argument('<name>', text.name, valid(DisplayName))
    .argument('<url>', text.url, valid(Url))
    .option('--format <format>', text.format(WebhookFormat.options), valid(WebhookFormat))
    .option('--event <event>', text.event(EventType.options), several(valid(EventType)))
    .option('--app <app>', text.app, valid(AppRef))
    .action(create)

  addServerCommand(webhook, 'list', text.list, WebhooksDocument).action(list)

  for (const verb of ['disable', 'enable'] as const) {
    addServerCommand(webhook, verb, text[verb], ChangedWebhookDocument)
      .argument('<webhook>', text.webhook)
      .action(async (named: string, options: CommandOptions) => {
        const { setWebhookDisabled } = await import('./webhook-changes.ts')
        await setWebhookDisabled(named, verb === 'disable', options)
      })
  }

  addServerCommand(webhook, 'delete', text.delete, DeletedWebhookDocument)
    .argument('<webhook>', text.webhook)
    .action(async (named: string, options: CommandOptions) => {
      const { deleteWebhook } = await import('./webhook-changes.ts')
      await deleteWebhook(named, options)
    })

  addServerCommand(webhook, 'test', text.test, TestedWebhookDocument)
    .argument('<webhook>', text.webhook)
    .action(async (named: string, options: CommandOptions) => {
      const { testWebhook } = await import('./webhook-changes.ts')
      await testWebhook(named, options)
    })
}

interface CreateOptions extends CommandOptions {
  readonly format?: WebhookFormat
  readonly event?: readonly EventType[]
  readonly app?: string
}

async function create(name: string, given: string, options: CreateOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  const { format = 'standard', event = EventType.options, app = null } = options
  // The URL of a chat is a secret, which other accounts could read among the arguments.
  const url = given === '-' ? (await readText(process.stdin)).trim() : given
  const events = [...new Set(event)]
  const created = await withServer(options, (server) =>
    server.webhooks.create.mutate({ name, url, format, events, app }),
  )
  if (options.json) printJson(WebhookWithSecretDocument, created)
  else print(created.secret)
}

async function list(options: CommandOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  const webhooks = await withServer(options, (server) => server.webhooks.list.query())
  if (options.json) {
    printJson(WebhooksDocument, { webhooks })
    return
  }
  printTable(
    text.headings,
    webhooks.map((webhook) => [
      webhook.id,
      webhook.name,
      webhook.url,
      webhook.format,
      webhook.events.length === EventType.options.length
        ? text.allEvents
        : webhook.events.join(', '),
      webhook.app ?? text.allApps,
      webhookStatus(webhook),
      webhook.pending,
    ]),
    text.empty,
  )
}
