import { describe, expect, it } from 'vitest'
import { newArtifact } from '../../../../src/renderer/releases/artifacts/artifact.ts'
import { emptyDraft, readPublish } from '../../../../src/renderer/releases/publish/draft.ts'
import { publishInWords } from '../../../../src/renderer/releases/publish/strings.ts'
import { EVERY_DEVICE } from '../../../../src/shared/targets.ts'

describe('publishing in words', () => {
  const artifact = {
    platform: 'darwin',
    arch: 'aarch64',
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
    expect(publishInWords(body)[0]).toBe(
      '1.4.0 will be offered to 25% of devices on editor/stable.',
    )
    expect(publishInWords({ ...body, rolloutPct: 0 })[0]).toMatch(/No device is offered it until/)
    expect(publishInWords({ ...body, artifacts: [] })[0]).toMatch(/it has no artifacts/)
  })

  it('is refused with a sentence beside every field', () => {
    const empty = newArtifact()
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4', artifacts: [empty] }
    expect(readPublish(draft)).toEqual({
      ok: false,
      issues: {
        version: 'Must be a semantic version such as 1.4.0 or 2.0.0-rc.1.',
        targets: false,
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
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4.0', artifacts: [row] }
    expect(readPublish(draft)).toEqual({
      ok: true,
      body: { ...body, rolloutPct: 100, artifacts: [{ ...artifact, size: 12 }] },
    })
    const twins = { ...draft, artifacts: [row, newArtifact({ ...row })] }
    expect(readPublish(twins).ok).toBe(false)
  })
})
