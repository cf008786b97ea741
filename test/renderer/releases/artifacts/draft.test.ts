import { describe, expect, it, test } from 'vitest'
import {
  artifactIssues,
  readArtifact,
  twinIssues,
} from '../../../../src/renderer/releases/artifacts/draft.ts'
import { newArtifact } from '../../../../src/shared/artifacts/artifact.ts'

const row = (platform: string, arch: string, kind = '') => newArtifact({ platform, arch, kind })

describe('artifacts that serve the same devices', () => {
  it('are known by their aliases, and the later one is told', () => {
    const rows = [row('macos', 'arm64'), row('linux', 'x64'), row(' Darwin ', 'aarch64')]
    expect([...twinIssues(rows)]).toEqual([
      [
        rows[2]?.id,
        'Artifact 1 already serves these devices: macos arm64 and Darwin aarch64 are the same. Remove one of them.',
      ],
    ])
  })

  it('need no explanation where both have the same name', () => {
    const rows = [row('linux', 'x64'), row('linux', 'x64')]
    expect([...twinIssues(rows).values()]).toEqual([
      'Artifact 1 already serves linux x64. Remove one of them.',
    ])
  })

  it('are none while platform or arch is missing, and one for any arch is no twin', () => {
    expect(twinIssues([row('linux', ''), row('linux', ''), row('', '')]).size).toBe(0)
    expect(twinIssues([row('linux', 'any'), row('linux', 'x64')]).size).toBe(0)
    const kinds = ['', 'deb', 'rpm'].map((kind) => row('linux', 'x64', kind))
    expect(twinIssues(kinds).size).toBe(0)
  })

  it('keep a release from being published, whatever else is missing', () => {
    const rows = [row('windows', 'x64'), row('win32', 'amd64')]
    expect(artifactIssues(rows).get(rows[1]?.id ?? '')).toMatchObject({
      url: 'Required',
      row: expect.stringContaining('windows x64'),
    })
  })
})

test.each(['0x10', '1e3', '-1', '1.5', 'many'])('a size of %s is no number of bytes', (size) => {
  const read = readArtifact(newArtifact({ size }))
  expect(read).toMatchObject({ ok: false, issues: { size: 'Enter a whole number of bytes' } })
})
