import { hash } from 'node:crypto'
import Database from 'better-sqlite3'
import { recordProof } from '../../../../src/server/catalog/releases/record-proof.ts'
import type { RunningServer } from '../../../../src/server/compose/running-server.ts'
import { createServer } from '../../../../src/server/server.ts'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { DEFAULT_CHOICES } from '../../../../src/shared/events/notice.ts'
import { Artifact, PublishBody } from '../../../../src/shared/releases/release.ts'
import { ACTOR, PRINCIPAL } from '../../../support/builders/actor.ts'
import { HOME } from '../../../support/builders/people.ts'
import { freeze, rolloutPlan } from '../../../support/builders/plans.ts'
import { artifact, publishBody, SHA512_BASE64 } from '../../../support/builders/releases.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { KNOWN } from './fixture.ts'

/** A manifest that a publisher signed; nothing verifies it. */
const MANIFEST = {
  version: '1.1.0',
  files: [{ url: 'editor.tar.gz', sha512: SHA512_BASE64 }],
  signature: Buffer.alloc(64).toString('base64'),
}

const DOCUMENT = {
  ...{ updater: 'electron' as const, name: 'latest-mac.yml', checked: false },
  content: Buffer.from(JSON.stringify(MANIFEST)).toString('base64'),
}

type Checks = readonly (readonly [device: string | null, path: string, version: string])[]

const DETAILS = {
  minimumSystemVersion: '23.1.0',
  extra: { updater: 'electron', manifest: { releaseName: 'Summer' } },
}

/** What devices ask, a day each; the last day is that of `KNOWN.at`. */
const DAYS: readonly Checks[] = [
  [
    ['ada', 'editor/stable/darwin/aarch64', '1.0.0'],
    ['ben', 'editor/stable/linux/x86_64', '1.0.0'],
    ['cleo', 'editor/beta/darwin/aarch64', '1.1.0'],
    ['dan', 'player/stable/windows/x86_64', '3.0.0'],
    [null, 'editor/stable/darwin/aarch64', '1.0.0'],
  ],
  [
    ['ada', 'editor/stable/darwin/aarch64', '1.0.0'],
    ['ada', 'editor/stable/darwin/aarch64', '1.1.0'],
    ['ben', 'editor/stable/linux/x86_64', '1.0.0'],
    [null, 'player/stable/windows/x86_64', '3.0.0'],
  ],
  [
    ['ada', 'editor/stable/darwin/aarch64', '1.2.0'],
    ['cleo', 'editor/beta/darwin/aarch64', '2.0.0-beta.1'],
    ['once', 'editor/stable/linux/x86_64', '1.1.0'],
  ],
]

/** Makes a database of the current schema with rows in every table, by a server. Returns its file. */
export async function makeSource(folder: string): Promise<string> {
  const time = { now: KNOWN.at - DAYS.length * DAY }
  const server = await createServer(
    { dataFolder: folder, port: 0, limits: { device: 0 }, budgets: { minFreeDiskMiB: 0 } },
    undefined,
    { clock: () => time.now, passwordCost: 4 },
  ).start()
  try {
    await fillCatalog(server)
    await fillProofs(server)
    await fillPlans(server)
    await fillPeople(server)
    await fillOutbox(server)
    for (const checks of DAYS) {
      time.now += DAY
      for (const check of checks) {
        time.now += HOUR / 60
        await ask(server, check)
      }
    }
    await server.updates.reportOutcome({
      ...{ app: 'editor', channel: 'beta', version: '2.0.0-beta.1', deviceId: 'cleo' },
      ...{ outcome: 'ok', detail: 'Restarted', caller: '::1' },
    })
    await server.updates.report(PRINCIPAL, {
      app: 'editor',
      devices: [
        { deviceId: 'eve', version: '1.0.0', platform: 'linux', arch: 'x86_64' },
        { deviceId: 'ben', version: '1.1.0', platform: 'linux', arch: 'x86_64' },
      ],
    })
    await server.telemetry.settled()
    await server.consoleContext.fleet.sampleHealth(time.now)
  } finally {
    await server.stop()
  }
  const file = dataFile(folder)
  complete(file)
  return file
}

/** A webhook that is disabled: nothing is sent by a server that serves the fixture. */
async function fillOutbox({ updates }: RunningServer): Promise<void> {
  const { id } = await updates.createWebhook(PRINCIPAL, {
    ...{ name: 'Chat', url: 'https://hooks.example/one', format: 'slack', app: 'editor' },
    events: ['release.published', 'release.rolled_back'],
  })
  const webhooks = updates.administerWebhooks(PRINCIPAL)
  await webhooks.test(PRINCIPAL.actor, id)
  await webhooks.setDisabled(PRINCIPAL.actor, id, true)
}

async function fillCatalog({ updates }: RunningServer): Promise<void> {
  for (const ref of ['editor', 'player', 'legacy']) await updates.createApp(PRINCIPAL, { ref })
  await updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  await updates.mintKey(PRINCIPAL, { name: 'ci' })
  await updates.mintKey(PRINCIPAL, { name: 'player', app: 'player', scopes: ['read', 'publish'] })
  const { key } = await updates.mintKey(PRINCIPAL, { name: 'lost' })
  await updates.revokeKey(PRINCIPAL, key.prefix)
  const publish = (version: string, members: Readonly<Record<string, unknown>> = {}) =>
    updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody(version, members)))
  const stable = { app: 'editor', channel: 'stable' }
  await publish('1.0.0', { notes: "It's the *first* one.\n\n- Über" })
  await publish('1.1.0', {
    artifacts: [artifact({ kind: 'app' }), artifact({ kind: 'dmg', ...DETAILS })],
    documents: [DOCUMENT],
  })
  await publish('1.2.0', { rolloutPct: 50, targets: { matchLabels: { ring: 'beta' } } })
  await publish('2.0.0-beta.1', { channel: 'beta' })
  await publish('3.1.0', { app: 'player' })
  await updates.putDraft(PRINCIPAL, {
    ...{ ...stable, version: '3.0.0', notes: 'Soon' },
    artifacts: [Artifact.parse(artifact({ kind: 'app' }))],
    documents: [DOCUMENT],
  })
  const serve = updates.changeServing
  await serve(PRINCIPAL, { ...stable, version: '1.2.0', status: 'rolled_back' })
  await serve(PRINCIPAL, { app: 'player', channel: 'stable', version: '3.1.0', status: 'paused' })
  const policy = { ...stable, change: { updateMode: 'required' } } as const
  await updates.setChannelPolicy(PRINCIPAL, policy)
  const approved = {
    ...{ app: 'player', channel: 'stable' },
    change: {
      ...{ requireApproval: true, manualChecks: true, uncheckedSignatures: ['sparkle' as const] },
      earlyAccess: {
        deviceIds: ['dan'],
        targets: [{ matchLabels: { ring: 'beta' }, matchExpressions: [] }],
      },
    },
  }
  await updates.setChannelPolicy(PRINCIPAL, approved)
  await updates.setAppArchived(PRINCIPAL, { app: 'legacy', archived: true })
}

/** A proof that failed; nothing proves it again. */
async function fillProofs({ consoleContext: { catalog }, updates }: RunningServer): Promise<void> {
  const documentKeys = [`sparkle:${'A'.repeat(43)}=`]
  const change = { hosts: ['downloads.example'], minisignKey: `RW${'A'.repeat(54)}`, documentKeys }
  await updates.setProving(PRINCIPAL, { app: 'editor', change })
  const channel = catalog.snapshot.appByName.get('editor')?.channels.get('stable')
  if (channel === undefined) throw new Error('fillCatalog comes first')
  const failure = { code: 'status', status: 404 } as const
  const outcome = { position: 0, at: catalog.now(), failure, signature: null }
  await recordProof(catalog, channel, '1.1.0', outcome)
}

/** A plan that waits for the end of a freeze. */
async function fillPlans({ updates }: RunningServer): Promise<void> {
  const freezes = [freeze('2026-03-01', '2026-03-31', 'Europe/Berlin')]
  await updates.setFreezes(PRINCIPAL, { app: 'editor', freezes })
  const plan = rolloutPlan([
    [10, 24],
    [100, 24],
  ])
  const body = publishBody('2.0.0-beta.2', { channel: 'beta', plan })
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(body))
}

async function fillPeople({ people, updates }: RunningServer): Promise<void> {
  const { token } = await people.createSetupLink()
  await people.acceptLink(token, KNOWN.person, HOME)
  const access = { server: null, apps: new Map([[1, 'release_manager' as const]]) }
  await people.invite({ actor: ACTOR, accountId: null }, { name: 'noah', access })
  await updates.proposeChange(
    { ...PRINCIPAL, person: 'user:mia' },
    {
      ...{ app: 'player', channel: 'stable', version: '3.1.0', comment: 'Ready' },
      change: { kind: 'serving', status: 'published' },
    },
  )
}

async function ask({ address }: RunningServer, [device, path, version]: Checks[number]) {
  const headers: Record<string, string> = device === null ? {} : { 'x-service-device': device }
  const query = device === 'ada' ? '?l.ring=beta' : ''
  const { status } = await fetch(`${address}/u/${path}/${version}${query}`, { headers })
  if (status !== 200 && status !== 204) throw new Error(`${path} answered ${status}`)
}

/** Adds what takes a browser, a provider or a fault to come about, and makes the secrets known ones. */
function complete(file: string): void {
  const database = new Database(file)
  const at = new Date(KNOWN.at).toISOString()
  const add = (table: string, ...values: (string | number | null)[]) =>
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?')})`).run(...values)
  const noah = String(database.prepare("SELECT id FROM accounts WHERE name = 'noah'").pluck().get())
  add('passkeys', 'cGFzc2tleQ', noah, 'Laptop', 'cHVibGljIGtleQ', 3, '["internal"]', at, null)
  add('totp_secrets', noah, 'JBSWY3DPEHPK3PXP', 59_000_000, at)
  add('recovery_codes', noah, hash('sha256', 'code'))
  add('account_identities', 'https://login.example.com', 'subject-1', noah, at)
  add('notification_choices', noah, JSON.stringify(DEFAULT_CHOICES))
  const browser = ['https://push.example/one', 'key', 'secret', 'Browser'] as const
  add('push_subscriptions', 'browser', noah, null, ...browser, at, null, 0, 0)
  add('set_aside', 1, KNOWN.at, 1, 'addDevice', '[1]', 'a reason')
  add('freed_devices', 900, 1)
  add('erasures', 1, 'unknown')
  const release = String(database.prepare('SELECT min(id) FROM releases').pluck().get())
  add('release_sessions', release, 255, 12, 9, 1, 1, 0)
  add('session_devices', release, 0, 17, 3)
  add('health_samples', 1, 0, 1, 0, 0, 0, 0, 0)
  add('outcome_details', 1, 1, 1, KNOWN.at - DAY, 'The disk is full')
  database
    .prepare("UPDATE api_keys SET hash = ?, prefix = ? WHERE name = 'ci'")
    .run(hash('sha256', KNOWN.key), KNOWN.key.slice(0, 8))
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}
