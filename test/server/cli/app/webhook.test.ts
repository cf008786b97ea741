import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { fileFolder } from '../../../support/builders/folders.ts'
import {
  cli,
  done,
  expectRefused,
  refusal,
  serveCli,
  shown,
  startCli,
} from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { databaseVariables } from '../../../support/servers/engine.ts'
import { type Receiver, startReceiver } from '../../../support/servers/receiver.ts'
import { scriptFile } from '../../../support/workers/script-file.ts'

const URL = 'https://hooks.example.com/one'

async function emptyFolder(): Promise<string> {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  return folder
}

/** A server that may reach a receiver, which has a webhook. */
async function served(receiver: Receiver) {
  const folder = await emptyFolder()
  const secret = await done(folder, 'webhook', 'create', 'Chat', receiver.url)
  await serveCli(folder, '--webhook-private-host', receiver.host)
  return { folder, secret: secret.trim() }
}

test('webhooks are created, listed, disabled, enabled and deleted without a server', async () => {
  const folder = await emptyFolder()
  expect(await done(folder, 'webhook', 'list')).toBe(
    'No webhooks yet. Create one with "webhook create".\n',
  )
  expect(await done(folder, 'webhook', 'create', 'Chat', URL)).toMatch(/^whsec_\S+\n$/)
  const events = ['--event', 'release.published', '--event', 'release.paused']
  const more = ['--format', 'slack', '--app', 'editor', ...events]
  const created = await shown(folder, 'webhook', 'create', 'Team', URL, ...more)
  expect(created.secret).toMatch(/^whsec_/)
  expect(created.webhook).toMatchObject({
    ...{ name: 'Team', url: URL, format: 'slack', app: 'editor' },
    events: ['release.published', 'release.paused'],
  })
  const listed = await done(folder, 'webhook', 'list')
  expect(listed).toMatch(/ Chat +https:\S+one +standard +all +all +active +0\n/)
  expect(listed).toMatch(/ Team +\S+ +slack +release\.published, release\.paused +editor +active/)
  const documents = await shown(folder, 'webhook', 'list')
  expect(documents.webhooks).toMatchObject([{ name: 'Chat' }, created.webhook])
  expect(JSON.stringify(documents)).not.toContain('whsec_')

  const disabled = await shown(folder, 'webhook', 'disable', 'Chat')
  expect(disabled).toMatchObject({ webhook: { name: 'Chat', disabled: { by: 'person' } } })
  expect(await done(folder, 'webhook', 'enable', 'Chat')).toBe('Enabled webhook Chat.\n')
  expect(await done(folder, 'webhook', 'delete', 'Chat')).toBe('Deleted webhook Chat.\n')
  const { id } = created.webhook
  expect(await shown(folder, 'webhook', 'delete', id)).toMatchObject({ webhook: { name: 'Team' } })
  expect(await shown(folder, 'webhook', 'list')).toEqual({ webhooks: [] })
})

test('a URL comes from standard input', async () => {
  const folder = await emptyFolder()
  const args = ['webhook', 'create', 'Chat', '-', '--data', folder]
  const child = spawn(process.execPath, [scriptFile('cli'), ...args], {
    env: { ...process.env, ...(await databaseVariables(folder)) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`${URL}\n`)
  expect(await text(child.stdout)).toMatch(/^whsec_/)
  expect(await shown(folder, 'webhook', 'list')).toMatchObject({ webhooks: [{ url: URL }] })
  const empty = await startCli(args, await databaseVariables(folder)).ended
  expect([empty.code, empty.stdout, refusal(empty)]).toEqual([
    ...[2, '', expect.stringContaining('must not be empty')],
  ])
})

test('wrong input, unknown webhooks and a name of several are refused', async () => {
  const folder = await emptyFolder()
  for (const _ of [1, 2]) await done(folder, 'webhook', 'create', 'Chat', URL)
  for (const [args, reason, exitCode] of [
    [['create', 'Chat', 'ftp://a.example'], 'must be an http or https URL', 2],
    [['create', 'Chat', 'https://ada:x@a.example'], 'must not contain a user name', 2],
    [['create', 'Chat', URL, '--event', 'release.gone'], '--event', 2],
    [['create', 'Chat', URL, '--format', 'mail'], '--format', 2],
    [['create', 'Chat', URL, '--app', 'none'], 'unknown app "none"', 3],
    [['delete', 'Chat'], 'several webhooks are named "Chat"; use an ID: ', 2],
    [['delete', 'none'], 'unknown webhook; use "webhook list" to list webhooks', 3],
    [['test', 'none'], 'unknown webhook', 3],
  ] as const) {
    const ended = await cli(folder, 'webhook', ...args)
    expect([args, ended.code, ended.stdout]).toEqual([args, exitCode, ''])
    expect(refusal(ended)).toContain(reason)
  }
})

test('a test event is sent by the server that runs, and its outcome is shown', async () => {
  const receiver = await startReceiver()
  const { folder, secret } = await served(receiver)
  expect(await done(folder, 'webhook', 'test', 'Chat')).toMatch(
    /^Delivered a test event to Chat: HTTP 204 in \S+ (?:milli)?seconds?\.\n$/,
  )
  const [sent] = receiver.received
  const headers = Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)])
  expect(new Webhook(secret).verify(sent?.body ?? '', Object.fromEntries(headers))).toMatchObject({
    type: 'webhook.test',
    data: { webhook: 'Chat', actor: { kind: 'command_line' } },
  })
  expect(await shown(folder, 'webhook', 'test', 'Chat')).toMatchObject({
    webhook: { name: 'Chat' },
    delivery: { state: 'delivered', tries: 1, attempts: [{ status: 204 }] },
  })
})

test('a test event that fails ends with exit code 1 and the reason', async () => {
  const receiver = await startReceiver({ status: 500, body: 'no\nspace' })
  const { folder } = await served(receiver)
  const ended = await cli(folder, 'webhook', 'test', 'Chat')
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(refusal(ended)).toBe(
    'error: the test event was not delivered to Chat: HTTP 500 (no space). The server will retry for up to 24 hours.',
  )
  const asJson = await cli(folder, 'webhook', 'test', 'Chat', '--json')
  expect(asJson).toMatchObject({ code: 1, stderr: '' })
  const document = JSON.parse(asJson.stdout)
  expectDescribed(['webhook', 'test'], document)
  expect(document.delivery).toMatchObject({ state: 'pending', attempts: [{ status: 500 }] })

  // The server that sends decides which private addresses it allows.
  await done(folder, 'webhook', 'create', 'Inside', 'http://127.0.0.1:9/')
  const inside = await cli(folder, 'webhook', 'test', 'Inside')
  expectRefused(inside, 1, 'private address')
})

test('a test event needs a server that runs, and is not queued without one', async () => {
  const folder = await emptyFolder()
  await done(folder, 'webhook', 'create', 'Chat', URL)
  const ended = await cli(folder, 'webhook', 'test', 'Chat')
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(refusal(ended)).toContain('no server is running')
  expect(await shown(folder, 'webhook', 'list')).toMatchObject({ webhooks: [{ pending: 0 }] })
})
