import { describe, expect, test } from 'vitest'
import type { CompiledChannel } from '../../../../src/server/rules/decision/channel.ts'
import { compileChannel } from '../../../../src/server/rules/decision/compile.ts'
import { decide, type Offer } from '../../../../src/server/rules/decision/decide.ts'
import {
  isUpdateRequired,
  manifestOf,
  serialiseManifest,
} from '../../../../src/server/rules/decision/manifest.ts'
import { parseVersion } from '../../../../src/server/rules/decision/version.ts'
import { DEFAULT_POLICY } from '../../../../src/shared/releases/channel.ts'
import { UpdateManifest } from '../../../../src/shared/releases/manifest.ts'
import {
  artifactFor,
  channelOf,
  deviceOn,
  releaseOf,
} from '../../../support/builders/decision-facts.ts'

const facts = releaseOf('2.0.0+7', {
  id: 'd0e1',
  notes: '# New\n"quoted" ✓ \u2028',
  artifacts: [artifactFor('macos', 'arm64'), artifactFor('macos', 'any')],
})
const policy = { ...DEFAULT_POLICY, minimumSupportedVersion: '1.2.0' }

function offerOf(channel: CompiledChannel, arch = 'arm64'): Offer {
  const decision = decide(channel, deviceOn('1.0.0', { arch }))
  if (decision.release === null) throw new Error(`nothing offered: ${decision.reason}`)
  return decision
}

function serialisedFor(channel: CompiledChannel, required: boolean, down: boolean, arch?: string) {
  const { release, artifact } = offerOf(channel, arch)
  return serialiseManifest(channel, release, artifact, required, down)
}

/** The text, which is the parts put together, and which short notes have as one string too. */
function textFor(...of: Parameters<typeof serialisedFor>): string {
  const { text, parts, length } = serialisedFor(...of)
  const bytes = Buffer.concat(parts)
  expect(bytes.length).toBe(length)
  if (text !== null) expect(text).toBe(bytes.toString())
  return bytes.toString()
}

describe('a manifest', () => {
  const channel = channelOf([facts], policy)
  const { release, artifact } = offerOf(channel)

  test('has exactly the ten members, and pub_date is when the release was created', () => {
    const manifest = manifestOf(channel, release, artifact, parseVersion('1.5.0'), false)
    expect(manifest).toStrictEqual({
      version: '2.0.0+7',
      notes: '# New\n"quoted" ✓ \u2028',
      pub_date: '2026-03-14T09:26:53.589Z',
      url: 'https://files.example/macos-arm64.zip',
      sha512: 'ab'.repeat(64),
      signature: '',
      size: 0,
      updateMode: 'optional',
      minimumSupportedVersion: '1.2.0',
      allowDowngrade: false,
    })
    expect(UpdateManifest.parse(manifest)).toStrictEqual(manifest)
  })

  test.each([
    ['1.1.9', 'required'],
    ['1.2.0-rc.1', 'required'],
    ['1.2.0', 'optional'],
    ['1.2.0+1', 'optional'],
    ['1.10.0', 'optional'],
  ])('for %s with the minimum 1.2.0 is %s', (version, updateMode) => {
    const manifest = manifestOf(channel, release, artifact, parseVersion(version), false)
    expect(manifest.updateMode).toBe(updateMode)
  })

  test('is required for every device if the channel requires updates', () => {
    const strict = channelOf([facts], { ...policy, updateMode: 'required' })
    const manifest = manifestOf(strict, release, artifact, parseVersion('1.5.0'), true)
    expect(manifest).toMatchObject({ updateMode: 'required', allowDowngrade: true })
  })
})

describe('the text of a manifest', () => {
  test('is the JSON of the manifest, for every device, direction and artifact', () => {
    const channel = channelOf([facts], policy)
    for (const arch of ['arm64', 'x64']) {
      for (const down of [false, true]) {
        for (const version of ['1.0.0', '1.5.0', '1.0.0']) {
          const on = parseVersion(version)
          const { release, artifact } = offerOf(channel, arch)
          const text = textFor(channel, isUpdateRequired(channel, on), down, arch)
          expect(text).toBe(JSON.stringify(manifestOf(channel, release, artifact, on, down)))
        }
      }
    }
  })

  test('follows the policy, also if the releases are reused from the previous channel', () => {
    const first = compileChannel(policy, [facts])
    expect(JSON.parse(textFor(first, false, false))).toMatchObject({
      minimumSupportedVersion: '1.2.0',
    })
    const second = compileChannel({ ...policy, minimumSupportedVersion: '1.9.0' }, [facts], first)
    expect(second.releases[0]).toBe(first.releases[0])
    expect(JSON.parse(textFor(second, false, false))).toMatchObject({
      minimumSupportedVersion: '1.9.0',
    })
    expect(JSON.parse(textFor(first, false, false))).toMatchObject({
      minimumSupportedVersion: '1.2.0',
    })
  })

  test('follows the release', () => {
    const first = compileChannel(policy, [facts])
    textFor(first, false, false)
    const second = compileChannel(policy, [{ ...facts, notes: 'Changed' }], first)
    expect(JSON.parse(textFor(second, false, false))).toMatchObject({ notes: 'Changed' })
  })

  test('is the same JSON for long notes, and holds them by reference', () => {
    const notes = '"quoted" ✓ \u2028\n'.repeat(4_000)
    const artifacts = [artifactFor('macos', 'arm64'), artifactFor('macos', 'any')]
    const channel = channelOf([{ ...facts, notes, artifacts }], policy)
    const shared = new Set<ArrayBufferLike>()
    for (const arch of ['arm64', 'x64']) {
      for (const [required, down] of [
        [false, false],
        [true, true],
      ] as const) {
        const { release, artifact } = offerOf(channel, arch)
        const { text, parts } = serialisedFor(channel, required, down, arch)
        expect(text).toBeNull()
        const on = parseVersion(required ? '1.0.0' : '1.5.0')
        expect(textFor(channel, required, down, arch)).toBe(
          JSON.stringify(manifestOf(channel, release, artifact, on, down)),
        )
        const long = parts.filter(({ length }) => length > notes.length)
        expect(long).toHaveLength(1)
        for (const { buffer } of long) shared.add(buffer)
      }
    }
    expect(shared.size).toBe(1)
  })
})
