import { describe, expect, test, vi } from 'vitest'
import { Refusal } from '../../../../src/server/catalog/errors.ts'
import { expireDrafts } from '../../../../src/server/catalog/expiry.ts'
import { ScheduledJob } from '../../../../src/server/runtime/async/scheduled-job.ts'
import { Artifact } from '../../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { DAY } from '../../../support/builders/time.ts'
import { auditOf, publish } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' }
const PAGE = { page: 1, perPage: 20 }
const artifacts = ['deb', 'rpm'].map((kind) =>
  Artifact.parse(
    artifact({ platform: 'linux', arch: 'x64', kind, url: `https://d.example/${kind}` }),
  ),
)

async function startWithClock() {
  const time = { now: Date.UTC(2026, 10, 22) }
  const server = await startWithApp({}, undefined, { clock: () => time.now })
  return { server, time, updates: server.updates }
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Refusal) return error.facts
  throw error ?? new Error('nothing was refused')
}

describe('a draft that nobody changes', () => {
  test('is gone after 30 days, and every change starts them anew', async () => {
    const { server, time, updates } = await startWithClock()
    await updates.putDraft(PRINCIPAL, PLACE)
    time.now += 29 * DAY
    await updates.putDraft(PRINCIPAL, { ...PLACE, notes: 'Soon' })
    time.now += 30 * DAY - 1
    expect((await updates.getDraft(PRINCIPAL, PLACE)).draft.notes).toBe('Soon')
    expect(await expireDrafts(server.catalog)).toBe(0)
    time.now += 1
    const unknown = { code: 'unknown_draft', ...PLACE }
    expect(await refusalOf(updates.getDraft(PRINCIPAL, PLACE))).toEqual(unknown)
    expect((await updates.listDrafts(PRINCIPAL, PAGE)).total).toBe(0)
    const publication = { rolloutPct: 100, targets: { matchLabels: {}, matchExpressions: [] } }
    const publishing = updates.publishDraft(PRINCIPAL, { ...PLACE, ...publication, expect: [] })
    expect(await refusalOf(publishing)).toEqual(unknown)
    expect(await expireDrafts(server.catalog)).toBe(1)
    expect(await expireDrafts(server.catalog)).toBe(0)
    expect(await auditOf(server, 'draft.expired')).toMatchObject([
      { actor: { kind: 'server' }, ...PLACE, before: { artifacts: 0 }, after: null },
    ])
  })

  test('is created anew by a call after its time, without what was in it', async () => {
    const { time, updates } = await startWithClock()
    await updates.putDraft(PRINCIPAL, { ...PLACE, notes: 'Old', artifacts })
    time.now += 30 * DAY
    expect(await updates.putDraft(PRINCIPAL, PLACE)).toMatchObject({ notes: '', artifacts: [] })
  })

  test('is removed in the background, also after a failure', async () => {
    const { server, time, updates } = await startWithClock()
    await updates.putDraft(PRINCIPAL, PLACE)
    time.now += 30 * DAY
    const failing = vi
      .spyOn(server.catalog.store, 'expiredDrafts')
      .mockRejectedValueOnce(new Error('disk on fire'))
    const failures: unknown[] = []
    const expire = () => expireDrafts(server.catalog)
    const onFailure = (error: unknown) => failures.push(error)
    const job = new ScheduledJob(expire, { every: 5, onFailure })
    job.start()
    await expect.poll(() => auditOf(server, 'draft.expired')).toHaveLength(1)
    await job.stop()
    expect(failures).toMatchObject([{ message: 'disk on fire' }])
    failing.mockRestore()
  })
})

describe('a draft in a form', () => {
  const content = { notes: 'Edited', artifacts: artifacts.slice(0, 1) }

  test('is replaced as a whole, unless somebody changed it meanwhile', async () => {
    const { updates } = await startWithClock()
    await updates.putDraft(PRINCIPAL, { ...PLACE, notes: 'First', artifacts })
    const { revision } = await updates.getDraft(PRINCIPAL, PLACE)
    const saved = await updates.saveDraft(PRINCIPAL, { ...PLACE, content, seen: revision })
    expect(saved.draft).toMatchObject({ notes: 'Edited', artifacts: [{ kind: 'deb' }] })
    const changed = { code: 'draft_changed', ...PLACE }
    const again = { ...PLACE, content: { ...content, notes: 'Again' } }
    for (const seen of [revision, null, '']) {
      expect(await refusalOf(updates.saveDraft(PRINCIPAL, { ...again, seen }))).toEqual(changed)
    }
    const publication = { rolloutPct: 100, targets: { matchLabels: {}, matchExpressions: [] } }
    const publishing = { ...PLACE, ...publication, expect: [] }
    expect(
      await refusalOf(updates.publishDraft(PRINCIPAL, { ...publishing, seen: revision })),
    ).toEqual(changed)
    const now = { ...publishing, seen: saved.revision }
    const twins = { notes: '', artifacts: [...content.artifacts, ...content.artifacts] }
    expect(
      await refusalOf(updates.publishDraft(PRINCIPAL, { ...now, content: twins })),
    ).toMatchObject({ code: 'artifact_repeated' })
    const last = { notes: 'Last', artifacts: artifacts.slice(1) }
    const release = await updates.publishDraft(PRINCIPAL, { ...now, content: last })
    expect(release).toMatchObject({ notes: 'Last', artifacts: [{ kind: 'rpm' }] })
  })

  test('is new only where there is none, and has one artifact for each kind', async () => {
    const { updates } = await startWithClock()
    const twins = { ...content, artifacts: [...content.artifacts, ...content.artifacts] }
    expect(
      await refusalOf(updates.saveDraft(PRINCIPAL, { ...PLACE, content: twins, seen: null })),
    ).toMatchObject({ code: 'artifact_repeated', path: ['artifacts', '1'] })
    await updates.saveDraft(PRINCIPAL, { ...PLACE, content, seen: null })
    expect(
      await refusalOf(updates.saveDraft(PRINCIPAL, { ...PLACE, content, seen: null })),
    ).toMatchObject({ code: 'draft_changed' })
  })
})

test('a preview is what a device would get if the draft were published, and changes nothing', async () => {
  const { server, updates } = await startWithClock()
  await publish(server, '1.3.0')
  await updates.putDraft(PRINCIPAL, { ...PLACE, notes: 'New', artifacts })
  const preview = (device: object) =>
    updates.previewDraft(PRINCIPAL, {
      ...PLACE,
      device: { version: '1.0.0', platform: 'linux', arch: 'amd64', bundle: '', ...device },
    })
  const device = await preview({ bundle: 'deb' })
  expect(device.update).toMatchObject({
    version: '1.4.0',
    notes: 'New',
    url: 'https://d.example/deb',
  })
  expect((await preview({})).reason).toBe('no_artifact')
  expect((await preview({ version: '1.4.0' })).reason).toBe('up_to_date')
  const mac = await preview({ platform: 'darwin', arch: 'aarch64' })
  expect(mac.update).toMatchObject({ version: '1.3.0' })
  expect(mac.candidates[0]).toMatchObject({ version: '1.4.0', outcome: 'no_artifact' })
  expect((await updates.listReleases(PRINCIPAL, PAGE)).total).toBe(1)
  expect((await server.catalog.store.audit({ limit: 1 }))[0]?.action).toBe('draft.created')
})

test('drafts go with their channel', async () => {
  const { server, updates } = await startWithClock()
  await updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  await updates.putDraft(PRINCIPAL, { ...PLACE, channel: 'beta' })
  await updates.putDraft(PRINCIPAL, PLACE)
  const confirmed = { app: 'editor', channel: 'beta', confirmation: 'beta' }
  await updates.removeChannel(PRINCIPAL, confirmed)
  expect((await updates.listDrafts(PRINCIPAL, PAGE)).total).toBe(1)
  const stored = await server.catalog.store.expiredDrafts('9999-01-01T00:00:00.000Z', 10)
  expect(stored).toHaveLength(1)
})

test('changes of a draft are no changes of a release', async () => {
  const { server, updates } = await startWithClock()
  await updates.putDraft(PRINCIPAL, PLACE)
  await publish(server, '1.4.0')
  const history = await server.catalog.store.auditOf(PLACE, 10)
  expect(history.map(({ action }) => action)).toEqual(['release.published'])
})
