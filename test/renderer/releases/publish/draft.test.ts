import { describe, expect, it } from 'vitest'
import {
  emptyDraft,
  readPublish,
  withRecommended,
} from '../../../../src/renderer/releases/publish/draft.ts'
import { publishInWords } from '../../../../src/renderer/releases/publish/strings.ts'
import { newArtifact } from '../../../../src/shared/artifacts/artifact.ts'
import { presetPlan } from '../../../../src/shared/plans/plan-presets.ts'
import { EVERY_DEVICE } from '../../../../src/shared/releases/targets.ts'

describe('publishing in words', () => {
  const artifact = {
    platform: 'darwin',
    arch: 'aarch64',
    kind: '',
    url: 'https://dl.example/a',
    sha512: 'a'.repeat(128),
    size: 0,
    signature: '',
  }
  const body = {
    app: 'editor',
    channel: 'stable',
    version: '1.4.0',
    notes: '',
    rolloutPct: 25,
    targets: EVERY_DEVICE,
    artifacts: [artifact],
  }

  it('names the share of devices and the place', () => {
    expect(publishInWords(body, 'off')[0]).toBe(
      '1.4.0 will be offered to 25% of devices on editor/stable.',
    )
    expect(publishInWords({ ...body, rolloutPct: 0 }, 'off')[0]).toMatch(
      /No device is offered it until/,
    )
    const paused = expect.stringMatching(/^It is paused until this server/)
    expect(publishInWords(body, 'required')).toContainEqual(paused)
    expect(publishInWords(body, 'warn')).not.toContainEqual(paused)
  })

  it('names the steps of a plan', () => {
    const plan = presetPlan('one-day', 'UTC')
    expect(publishInWords({ ...body, rolloutPct: 0, plan }, 'off')[0]).toBe(
      '1.4.0 will be published on editor/stable and rolled out by a plan: 5% → 25% → 50% → Everyone.',
    )
  })

  it('rolls out by a plan unless somebody chooses otherwise', () => {
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4.0' }
    expect(readPublish(draft)).toMatchObject({
      ok: true,
      body: { rolloutPct: 0, plan: { steps: [{ rolloutPct: 5 }, {}, {}, { rolloutPct: 100 }] } },
    })
    const { rollout } = draft
    expect(readPublish(withRecommended(draft, 'three-days'))).toMatchObject({
      ok: true,
      body: { plan: { steps: [{ rolloutPct: 25 }, { rolloutPct: 100 }] } },
    })
    const chosen = { ...rollout, mode: 'manual', isChosen: true, rolloutPct: 10 } as const
    const byHand = { ...draft, rollout: chosen }
    const read = readPublish(withRecommended(byHand, 'three-days'))
    expect(read).toMatchObject({ ok: true, body: { rolloutPct: 10 } })
    expect(read.ok && 'plan' in read.body).toBe(false)
  })

  it('is refused with a custom plan that is not complete', () => {
    const empty = emptyDraft('editor', 'stable')
    const custom = { ...empty.rollout.custom, maxFailedPct: '' }
    const draft = {
      ...empty,
      version: '1.4.0',
      rollout: { ...empty.rollout, mode: 'custom', custom } as const,
    }
    expect(readPublish(draft)).toMatchObject({ ok: false, issues: { plan: true } })
  })

  it('is refused with a sentence beside every field', () => {
    const empty = newArtifact()
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4', artifacts: [empty] }
    expect(readPublish(draft)).toEqual({
      ok: false,
      issues: {
        version: 'Must be a semantic version such as 1.4.0 or 2.0.0-rc.1.',
        targets: false,
        plan: false,
        artifacts: new Map([
          [
            empty.id,
            {
              platform: 'Required',
              arch: 'Required',
              url: 'Required',
              sha512: 'Required',
            },
          ],
        ]),
      },
    })
  })

  it('counts notes in bytes of UTF-8', () => {
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4.0' }
    expect(readPublish({ ...draft, notes: '🚀'.repeat(16_384) }).ok).toBe(true)
    expect(readPublish({ ...draft, notes: '🚀'.repeat(16_385) })).toMatchObject({
      ok: false,
      issues: { notes: 'Must be at most 64 KiB' },
    })
  })

  it('reads a complete draft as the body of a call', () => {
    const row = newArtifact({ ...artifact, size: '12' })
    const empty = emptyDraft('editor', 'stable')
    const rollout = { ...empty.rollout, mode: 'everyone' } as const
    const draft = { ...empty, version: '1.4.0', rollout, artifacts: [row] }
    expect(readPublish(draft)).toEqual({
      ok: true,
      body: { ...body, rolloutPct: 100, artifacts: [{ ...artifact, size: 12 }] },
    })
    const twins = { ...draft, artifacts: [row, newArtifact({ ...row })] }
    expect(readPublish(twins).ok).toBe(false)
  })
})
