import { describe, expect, it } from 'vitest'
import {
  artifactIssues,
  newArtifact,
  twinIssues,
} from '../../../../src/renderer/releases/artifacts/draft.ts'

const row = (platform: string, arch: string) => newArtifact({ platform, arch })

describe('artifacts that serve the same devices', () => {
  it('are known by their aliases, and the later one is told', () => {
    const rows = [row('macos', 'arm64'), row('linux', 'x64'), row(' Darwin ', 'aarch64')]
    expect([...twinIssues(rows)]).toEqual([
      [
        rows[2]?.id,
        'Artifact 1 serves these devices already. Darwin aarch64 and macos arm64 are the same. Keep one.',
      ],
    ])
  })

  it('need no explanation where both have the same name', () => {
    const rows = [row('linux', 'x64'), row('linux', 'x64')]
    expect([...twinIssues(rows).values()]).toEqual([
      'Artifact 1 serves these devices already. Keep one.',
    ])
  })

  it('are none while platform or arch is missing, and one for any arch is no twin', () => {
    expect(twinIssues([row('linux', ''), row('linux', ''), row('', '')]).size).toBe(0)
    expect(twinIssues([row('linux', 'any'), row('linux', 'x64')]).size).toBe(0)
  })

  it('keep a release from being published, whatever else is missing', () => {
    const rows = [row('windows', 'x64'), row('win32', 'amd64')]
    expect(artifactIssues(rows).get(rows[1]?.id ?? '')).toMatchObject({
      url: 'Is required.',
      row: expect.stringContaining('windows x64'),
    })
  })
})
