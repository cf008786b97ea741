import { text as readText } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import {
  DeliveryItem,
  WebhookItem,
  WebhookWithSecret,
  webhookStatus,
} from '../../../shared/console/webhooks.ts'
import { EventType, WebhookFormat, WebhookInput } from '../../../shared/events/webhook.ts'
import { AppRef, DisplayName } from '../../../shared/names.ts'
import { Refusal } from '../../catalog/errors.ts'
import { EXIT, Failure, UsageError } from '../command/errors.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, printJson, printTable } from '../command/output.ts'
import { several, valid } from '../command/valid.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/webhook.ts'

const Url = WebhookInput.shape.url

const WebhooksDocument = z.strictObject({ webhooks: z.array(WebhookItem) })
const ChangedWebhookDocument = z.strictObject({ webhook: WebhookItem })
const DeletedWebhookDocument = z.strictObject({ webhook: WebhookItem })
/** `webhook`: as it was before the test. `delivery`: after its first attempt. */
const TestedWebhookDocument = z.strictObject({
  webhook: WebhookItem,
  delivery: DeliveryItem,
})

/** Seconds to wait for the first attempt, which takes 15 at most and may wait for that of another delivery. */
const PATIENCE = 60
/** Milliseconds between two looks. */
const INTERVAL = 250

/** `webhook create`, `list`, `disable`, `enable`, `delete` and `test`. */
export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description(text.description)

  addServerCommand(webhook, 'create', text.create, WebhookWithSecret)
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
      .action((named: string, options: CommandOptions) =>
        setWebhookDisabled(named, verb === 'disable', options),
      )
  }

  addServerCommand(webhook, 'delete', text.delete, DeletedWebhookDocument)
    .argument('<webhook>', text.webhook)
    .action(deleteWebhook)

  addServerCommand(webhook, 'test', text.test, TestedWebhookDocument)
    .argument('<webhook>', text.webhook)
    .action(testWebhook)
}

interface CreateOptions extends CommandOptions {
  readonly format?: WebhookFormat
  readonly event?: readonly EventType[]
  readonly app?: string
}

async function create(name: string, given: string, options: CreateOptions): Promise<void> {
  const { format = 'standard', event = EventType.options, app = null } = options
  // The URL of a chat is a secret, which other accounts could read among the arguments.
  const url = given === '-' ? (await readText(process.stdin)).trim() : given
  const events = [...new Set(event)]
  const created = await onServer(options, (server) =>
    server.webhooks.create.mutate({ name, url, format, events, app }),
  )
  printAnswer(options, WebhookWithSecret, created, created.secret)
}

async function list(options: CommandOptions): Promise<void> {
  const webhooks = await onServer(options, (server) => server.webhooks.list.query())
  const rows = webhooks.map((webhook) => {
    const { id, name, url, format, events, app, pending } = webhook
    const hasAll = events.length === EventType.options.length
    const named = hasAll ? text.allEvents : events.join(', ')
    return [id, name, url, format, named, app ?? text.allApps, webhookStatus(webhook), pending]
  })
  printAnswer(options, WebhooksDocument, { webhooks }, () =>
    printTable(text.headings, rows, text.empty),
  )
}

/** `webhook disable` and `webhook enable`. Throws `unknown_webhook`, and `UsageError` for a name that several have. */
async function setWebhookDisabled(named: string, disabled: boolean, options: CommandOptions) {
  const webhook = await onServer(options, async (server) => {
    const { id } = await findWebhook(server, named)
    return await server.webhooks.setDisabled.mutate({ id, disabled })
  })
  const line = disabled ? text.disabled(webhook.name) : text.enabled(webhook.name)
  printAnswer(options, ChangedWebhookDocument, { webhook }, line)
}

/** `webhook delete`. Throws `unknown_webhook`, and `UsageError` for a name that several have. */
async function deleteWebhook(named: string, options: CommandOptions): Promise<void> {
  const webhook = await onServer(options, async (server) => {
    const found = await findWebhook(server, named)
    await server.webhooks.remove.mutate({ id: found.id })
    return found
  })
  printAnswer(options, DeletedWebhookDocument, { webhook }, text.deleted(webhook.name))
}

/**
 * `webhook test`. Shows the first attempt. Throws `unknown_webhook`, `webhook_disabled`, `UsageError` for a name that
 * several have, and `Failure` if the attempt failed or was not made within 60 seconds.
 */
async function testWebhook(named: string, options: CommandOptions): Promise<void> {
  const { webhook, delivery } = await onServer(options, async (server) => {
    const found = await findWebhook(server, named)
    const { id } = await server.webhooks.test.mutate({ id: found.id })
    return { webhook: found, delivery: await firstAttempt(server, found, id) }
  })
  const { state, attempts } = delivery
  const attempt = attempts.at(-1)
  const isDelivered = state === 'delivered' && attempt !== undefined
  if (options.json) {
    printJson(TestedWebhookDocument, { webhook, delivery })
    if (!isDelivered) process.exitCode = EXIT.failed
    return
  }
  if (!isDelivered) throw new Failure(text.failed(webhook.name, attempt, state === 'pending'))
  print(text.delivered(webhook.name, attempt))
}

/** Returns a delivery once it was tried or canceled. */
async function firstAttempt(server: CommandServer, { name }: WebhookItem, id: string) {
  const deadline = performance.now() + PATIENCE * 1_000
  for (;;) {
    const delivery = await server.webhooks.delivery.query({ delivery: id })
    if (delivery.tries > 0 || delivery.state !== 'pending') return delivery
    if (performance.now() >= deadline) throw new Failure(text.notSent(name, PATIENCE))
    await delay(INTERVAL)
  }
}

async function findWebhook(server: CommandServer, named: string): Promise<WebhookItem> {
  const webhooks = await server.webhooks.list.query()
  const byId = webhooks.find(({ id }) => id === named)
  if (byId !== undefined) return byId
  const [webhook, ...others] = webhooks.filter(({ name }) => name === named)
  if (webhook === undefined) throw new Refusal({ code: 'unknown_webhook' })
  if (others.length === 0) return webhook
  const ids = [webhook, ...others].map(({ id }) => id)
  throw new UsageError(text.ambiguous(named, ids))
}
