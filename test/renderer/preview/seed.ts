import { createHash } from 'node:crypto'
import { days } from '../../../src/server/fleet/time.ts'
import { FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'
import { EventType } from '../../../src/shared/events/webhook.ts'
import type { Backend } from './backend.ts'
import { CAME, recordHistory } from './history.ts'
import { recordPlans } from './plans.ts'
import { recordProofs, storeFiles } from './proofs.ts'
import { stopPlans } from './stopped-plan.ts'

const PRINCIPAL: Principal = {
  actor: { kind: 'console', name: 'preview' },
  access: FULL_ACCESS,
  seesArchived: true,
}
const DEVICES = 480

const NOTES = `## What is new

- Tables can be **sorted by several columns**.
- Opening a large file is about twice as fast.

## Fixed

1. The window remembers on which display it was.
2. \`Ctrl+Shift+T\` opens the tab that was closed last.
`

const LATEST_NOTES = `## What is new

- Tables can be **sorted by several columns**.
- Opening a large file is three times as fast.

## Fixed

1. The window remembers on which display it was.
2. \`Ctrl+Shift+T\` opens the tab that was closed last.
3. The list of recent files has no duplicates.
`

/** The device whose page is looked at. */
export const WANDERER = '6f1ad8f2-93d1-4a57-b0cf-2f3a9c1de407'

const RELEASES = [
  { channel: 'stable', version: '2.0.3', rolloutPct: 100 },
  { channel: 'stable', version: '2.1.0', rolloutPct: 100 },
  { channel: 'stable', version: '2.2.0', rolloutPct: 100 },
  { channel: 'stable', version: '2.3.0', rolloutPct: 25, notes: LATEST_NOTES },
  { channel: 'beta', version: '2.4.0-beta.1', rolloutPct: 100 },
  {
    channel: 'beta',
    version: '2.4.0-beta.2+build.118',
    rolloutPct: 50,
    targets: { matchLabels: { ring: ['internal', 'early'] } },
  },
]

/** Two apps, releases in every state, keys, and a few hundred devices that asked. */
export async function seed({ running, turnBack }: Backend): Promise<void> {
  const { address, updates } = running
  turnBack(days(36))
  await updates.createApp(PRINCIPAL, { ref: 'editor', name: 'Harbour Editor' })
  await updates.createApp(PRINCIPAL, { ref: 'viewer', name: 'Harbour Viewer' })
  await updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  const { secret } = await updates.mintKey(PRINCIPAL, {
    name: 'release machine',
    scopes: ['publish', 'serve', 'read', 'fleet'],
  })
  await updates.mintKey(PRINCIPAL, { name: 'status page', scopes: ['read'], app: 'editor' })
  const old = await updates.mintKey(PRINCIPAL, { name: 'old build server', scopes: ['publish'] })
  await updates.revokeKey(PRINCIPAL, old.key.prefix)
  await invite(running)
  await addWebhooks(running)

  const call = async (path: string, method: string, body: unknown) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const reply = await fetch(address + path, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  }
  for (const release of RELEASES) {
    turnBack(days(CAME[release.version] ?? 0))
    await call('/api/v1/releases', 'POST', {
      app: 'editor',
      notes: NOTES,
      ...release,
      artifacts: [
        artifact(release.version, 'darwin', 'aarch64'),
        artifact(release.version, 'windows', 'x86_64'),
        artifact(release.version, 'linux', 'x86_64'),
      ],
    })
    turnBack(0)
    if (release.version === '2.3.0') {
      await report(call, release.channel, '2.0.3')
      continue
    }
    await report(call, release.channel, release.version)
  }
  await checkFor(address, WANDERER)
  const targets = [{ matchLabels: { ring: ['early', 'staff'] }, matchExpressions: [] }]
  const earlyAccess = { deviceIds: [WANDERER], targets }
  const stable = { app: 'editor', channel: 'stable' }
  await updates.setChannelPolicy(PRINCIPAL, { ...stable, change: { earlyAccess } })
  const place = { app: 'editor', channel: 'stable' }
  turnBack(days(15))
  await call('/api/v1/releases', 'PATCH', { ...place, version: '2.1.0', status: 'rolled_back' })
  turnBack(0)
  await recordHistory(running, turnBack)
  const draft = { ...place, version: '2.5.0', notes: NOTES }
  const bundles = ['appimage', 'deb', 'rpm'].map((kind) => ({
    ...artifact('2.5.0', 'linux', 'x86_64'),
    kind,
  }))
  const artifacts = [...bundles, artifact('2.5.0', 'darwin', 'aarch64')]
  await call('/api/v1/drafts', 'PUT', { ...draft, artifacts })
  await call('/api/v1/drafts', 'PUT', { app: 'editor', channel: 'beta', version: '2.6.0-beta.1' })
  await recordProofs(running, PRINCIPAL)
  await recordPlans(running, PRINCIPAL, turnBack)
  const nightly = { app: 'editor', channel: 'nightly' }
  await updates.createChannel(PRINCIPAL, { app: nightly.app, name: nightly.channel })
  await updates.setChannelPolicy(PRINCIPAL, { ...nightly, change: { proving: 'required' } })
  const built = artifact('2.7.0-nightly.3', 'linux', 'x86_64')
  await call('/api/v1/releases', 'POST', {
    ...{ ...nightly, version: '2.7.0-nightly.3', notes: NOTES, artifacts: [built] },
  })
  const viewer = { app: 'viewer', channel: 'stable', version: '3.0.0' }
  await call('/api/v1/releases', 'POST', {
    ...{ ...viewer, artifacts: [artifact('3.0.0', 'windows', 'x86_64')] },
    plan: { steps: [{ rolloutPct: 10, soakHours: 48 }] },
  })
  await stopPlans(running, viewer.app)
  await seedLong(running, call)
  await storeFiles(running, PRINCIPAL)
}

/** Names as long as people have them, in a language with long words. */
export const LONG = {
  app: 'bestandsverwaltung-kundendienst',
  channel: 'qualitaetssicherung-vorabversion',
  version: '2026.11.27-qualitaetssicherung.vorab.118+build.20261127.4f2a9c1',
  device: 'arbeitsplatzrechner-buchhaltung-hauptverwaltung-donaueschingen-erdgeschoss-0017',
} as const

type Call = (path: string, method: string, body: unknown) => Promise<void>

async function seedLong({ updates, address }: Backend['running'], call: Call): Promise<void> {
  const { app, channel, version, device } = LONG
  const name = 'Bestandsverwaltung für Kundendienst und Auftragsabwicklung'
  await updates.createApp(PRINCIPAL, { ref: app, name })
  await updates.createChannel(PRINCIPAL, { app, name: channel })
  await call('/api/v1/releases', 'POST', {
    ...{ app, channel, version, notes: NOTES, rolloutPct: 25 },
    artifacts: [artifact(version, 'windows', 'x86_64')],
  })
  const path = `/u/${app}/${channel}/windows/x86_64/2026.11.20?l.standort=Hauptverwaltung-Donaueschingen`
  await fetch(address + path, { headers: { 'x-service-device': device } })
}

/** A device asks again and again, on one version after the other. */
async function checkFor(address: string, device: string): Promise<void> {
  const runs = ['2.0.3', '2.1.0', ...Array<string>(30).fill('2.2.0')]
  for (const version of runs) {
    const path = `/u/editor/stable/darwin/aarch64/${version}?l.ring=early&l.site=Trieste`
    await fetch(address + path, { headers: { 'x-service-device': device } })
  }
}

async function report(call: Call, channel: string, version: string): Promise<void> {
  const count = channel === 'beta' ? 24 : version === '2.2.0' ? DEVICES : DEVICES / 8
  const devices = Array.from({ length: count }, (_, index) => ({
    deviceId: `${channel}-${version}-${index}`,
    version,
    platform: ['darwin', 'windows', 'linux'][index % 3],
    arch: index % 3 === 0 ? 'aarch64' : 'x86_64',
    labels: { ring: index % 5 === 0 ? 'early' : 'general' },
  }))
  await call('/api/v1/fleet/decisions', 'POST', { app: 'editor', channel, devices })
}

const KINDS: Readonly<Record<string, string>> = {
  darwin: 'app',
  windows: 'nsis',
  linux: 'appimage',
}

function artifact(version: string, platform: string, arch: string) {
  const url = `https://downloads.example/${version}/editor-${platform}-${arch}.tar.gz`
  return {
    platform,
    arch,
    kind: KINDS[platform] ?? '',
    signature: platform === 'linux' ? '' : Buffer.from(`signature of ${url}`).toString('base64'),
    url,
    sha512: createHash('sha512').update(url).digest('base64'),
    size: 48_318_022,
  }
}

/** Two webhooks to hosts that do not exist, one of them disabled. */
async function addWebhooks({ updates }: Backend['running']): Promise<void> {
  const { options: events } = EventType
  await updates.createWebhook(PRINCIPAL, {
    ...{ name: 'Build status', url: 'https://builds.example/hooks/tidegate', format: 'standard' },
    ...{ events, app: null },
  })
  const { id } = await updates.createWebhook(PRINCIPAL, {
    ...{ name: 'Release chat', url: 'https://chat.example/services/T0/B0/x', format: 'slack' },
    ...{ events: ['release.published', 'release.rolled_back'], app: 'editor' },
  })
  await updates.administerWebhooks(PRINCIPAL).setDisabled(PRINCIPAL.actor, id, true)
}

/** Three people: one for the server, one for an app, and one who may no longer sign in. */
async function invite({ updates, people }: Backend['running']): Promise<void> {
  const apps = [{ app: 'editor', role: 'release_manager' } as const]
  const mia = await updates.invitePerson(PRINCIPAL, {
    ...{ name: 'Mia', access: { server: 'administrator', apps: [] } },
  })
  const caller = {
    address: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  }
  await people.acceptLink(mia.token, { password: 'nine violet otters paddle' }, caller)
  await updates.invitePerson(PRINCIPAL, { name: 'Ben', access: { server: 'viewer', apps } })
  const { person } = await updates.invitePerson(PRINCIPAL, {
    ...{ name: 'Cleo', access: { server: null, apps } },
  })
  await updates.setPersonDisabled(PRINCIPAL, person.account.id, true)
}
