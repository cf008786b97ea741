import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually } from '../support/eventually.ts'
import { webhookInput } from '../support/servers/receiver.ts'
import { mutate, publishByApi } from './support/api.ts'
import { findings, findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { createChannel } from './support/channel.ts'
import { inBrowser } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { dropFiles } from './support/drop.ts'
import { expectFits, unfitInAnyWidth } from './support/looks.ts'
import { openForAll } from './support/open-for-all.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp, openPublishForm, publish } from './support/steps.ts'

const LONG = {
  channel: 'qualitaetssicherung-vorabversion',
  version: '2026.11.27-qualitaetssicherung.vorab.118+build.20261127.4f2a9c1',
}
/** Where each screen is. */
const screens = {
  overview: '#/',
  fleet: '#/fleet',
  releases: '#/releases',
  publish: '#/releases/publish',
  planned: '#/releases/editor/stable/1.2.0',
  calendar: '#/calendar',
  release: '#/releases/editor/stable/1.1.0',
  devices: '#/devices',
  device: '#/devices/editor/device-0',
  apps: '#/apps',
  app: '#/apps/editor',
  keys: '#/keys',
  audit: '#/audit',
  settings: '#/settings',
  approvals: '#/approvals',
  drafts: '#/releases/drafts',
  draft: '#/releases/drafts/editor/stable/2.0.0',
  'not proven': '#/releases/editor/stable/1.0.0',
  preflight: '#/releases/editor/stable/1.1.0',
  'long names': `#/releases/editor/${LONG.channel}/${encodeURIComponent(LONG.version)}`,
  compare: '#/releases/editor/stable/1.1.0/compare',
  people: '#/people',
  webhooks: '#/webhooks',
  ...(inBrowser ? { account: '#/account', 'command line': '#/command-line' } : {}),
}
/** Widths and themes, each with axe, take minutes. */
const isAll = inBrowser && process.env.E2E_ALL === '1'
const opened = openForAll({ storesFiles: true })
let empty: unknown
/** Where the change request and the webhook are. */
let approval: string
let webhook: string

beforeAll(async () => {
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  empty = await findings(opened)
  await createApp(opened)
  await publish(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 5)
  await publish(opened, '1.1.0', 25)
  const plan = {
    steps: [
      { rolloutPct: 50, soakHours: 24, gate: { minAdoptedPct: 50 } },
      { rolloutPct: 100, soakHours: 1 },
    ],
  }
  await publishByApi(opened, '1.2.0', { plan })
  const freezes = [{ firstDay: '2026-01-01', lastDay: '2036-01-01', name: 'Long' }]
  await mutate(opened, 'apps.setFreezes', { app: 'editor', freezes })
  await checkAll(opened.address, '1.0.0', 5)
  await createChannel(opened, LONG.channel)
  await publishByApi(opened, LONG.version, { channel: LONG.channel })
  await saveDraft('2.0.0')
  await failProof('1.0.0')
  approval = await propose('1.1.0')
  const made = await mutate(opened, 'webhooks.create', webhookInput())
  webhook = `#/webhooks/${z.object({ webhook: z.object({ id: z.string() }) }).parse(made).webhook.id}`
})

/** Saves a draft with a file that the server then stores. */
async function saveDraft(version: string): Promise<void> {
  const { page } = opened
  await openPublishForm(opened)
  await page.getByRole('textbox', { name: 'Version' }).fill(version)
  const name = 'Editor-linux-x86_64.AppImage'
  await dropFiles(page.getByRole('region', { name: 'Add files' }), [{ name, content: 'built' }])
  const url = page.getByRole('group', { name: 'Artifact 1' }).getByLabel('URL', { exact: true })
  await eventually(async () => expect(await url.inputValue()).toContain(name))
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { level: 1, name: version }).waitFor()
}

/** Leaves an artifact that could not be proven: its host is not allowed. */
async function failProof(version: string): Promise<void> {
  const { page } = opened
  await goToAddress(page, `#/releases/editor/stable/${version}`)
  await page.getByRole('button', { name: 'Prove artifacts' }).click()
  await page.getByText(/^Not proven (?!yet)/).waitFor()
}

/** Requests a change that needs approval. Returns where it is. */
async function propose(version: string): Promise<string> {
  const place = { app: 'editor', channel: 'stable' }
  await mutate(opened, 'channels.setPolicy', { ...place, policy: { requireApproval: true } })
  const change = { kind: 'serving', rolloutPct: 50 }
  await mutate(opened, 'changeRequests.propose', { ...place, version, comment: 'Slowly', change })
  const { page } = opened
  await goToAddress(page, '#/approvals')
  const link = page.getByRole('link', { name: `Set the rollout of ${version} to 50%` })
  return String(await link.getAttribute('href'))
}

/** Waits until everything is there that belongs to the screen. */
async function waitFor(name: string): Promise<void> {
  const { page } = opened
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (name === 'settings') await page.getByRole('table', { name: 'Stored files' }).waitFor()
  if (name === 'draft') await page.getByText('Response to the update check').first().waitFor()
  if (name === 'approval') await page.getByRole('table', { name: 'Impact' }).waitFor()
  if (name === 'not proven') await page.getByText(/^Not proven (?!yet)/).waitFor()
  if (name === 'preflight') {
    await page.getByRole('button', { name: 'Run preflight' }).click()
    await page.getByRole('button', { name: 'Run again' }).waitFor()
  }
}

test('the empty overview has no finding', () => {
  expect(empty).toEqual([])
})

test('no screen has a finding, and each fits every width', {
  timeout: 1_800_000,
}, async () => {
  const { page } = opened
  for (const [name, path] of Object.entries({ ...screens, approval, webhook })) {
    await goToAddress(page, '#/nowhere')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    const before = await page.title()
    await goToAddress(page, path)
    // Every screen names the window.
    await page.waitForFunction((title) => document.title !== title, before)
    await waitFor(name)
    if (isAll) {
      await expectFits(page, name)
      continue
    }
    expect.soft(await findingsInBothThemes(opened), name).toEqual(NO_FINDINGS)
    if (inBrowser) expect.soft(await unfitInAnyWidth(page), name).toEqual([])
  }
})
