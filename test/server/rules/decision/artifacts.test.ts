import { describe, expect, test } from 'vitest'
import { findArtifact, indexArtifacts } from '../../../../src/server/rules/decision/artifacts.ts'
import {
  artifactKey,
  canonicalArch,
  canonicalPlatform,
} from '../../../../src/shared/devices/aliases.ts'
import { artifactFor } from '../../../support/builders/decision-facts.ts'

function urlFor(tokens: [string, string][], platform: string, arch: string): string | undefined {
  const index = indexArtifacts(tokens.map(([os, cpu]) => artifactFor(os, cpu)))
  return findArtifact(index, canonicalPlatform(platform), canonicalArch(arch), '')?.url
}

describe('names of platforms and arches', () => {
  test.each([
    ['darwin', 'macos', 'mac', 'osx'],
    ['windows', 'win32', 'win'],
  ])('%s has aliases', (...names) => {
    expect(new Set([...names, names[1]?.toUpperCase() ?? ''].map(canonicalPlatform)).size).toBe(1)
  })

  test.each([
    ['x86_64', 'x64', 'amd64'],
    ['aarch64', 'arm64'],
    ['i686', 'x86', 'ia32', 'i386'],
    ['armv7', 'armv7l', 'armhf'],
    ['universal', 'any'],
  ])('%s has aliases', (...names) => {
    expect(new Set([...names, names[1]?.toUpperCase() ?? ''].map(canonicalArch)).size).toBe(1)
  })

  test('different rows stay apart, and so do platforms and arches', () => {
    expect(new Set(['darwin', 'windows', 'linux'].map(canonicalPlatform)).size).toBe(3)
    expect(new Set(['x64', 'arm64', 'x86', 'armhf', 'any'].map(canonicalArch)).size).toBe(5)
    expect(canonicalPlatform('x64')).toBe('x64')
    expect(canonicalArch('mac')).toBe('mac')
  })

  test('unknown tokens match themselves, regardless of case', () => {
    expect(canonicalPlatform('FreeBSD')).toBe('freebsd')
    expect(canonicalArch('RISCV64')).toBe('riscv64')
    expect(canonicalPlatform('constructor')).toBe('constructor')
  })

  test('a key is the same for every spelling of a platform and arch, and another for each kind', () => {
    expect(artifactKey('macOS', 'arm64', '')).toBe(artifactKey('darwin', 'aarch64', ''))
    expect(artifactKey('mac', 'universal', 'APP')).toBe(artifactKey('osx', 'any', 'app'))
    expect(artifactKey('macos', 'arm64', '')).not.toBe(artifactKey('macos', 'x64', ''))
    expect(artifactKey('linux', 'x64', 'deb')).not.toBe(artifactKey('linux', 'x64', 'rpm'))
    expect(artifactKey('linux', 'x64', 'deb')).not.toBe(artifactKey('linux', 'x64', ''))
  })
})

describe('finding an artifact', () => {
  test('compares after aliases on both sides', () => {
    expect(urlFor([['win32', 'amd64']], 'windows', 'x86_64')).toContain('win32-amd64')
  })

  test('prefers the exact arch to a universal one, in any order', () => {
    const exact = 'https://files.example/macos-arm64.zip'
    expect(
      urlFor(
        [
          ['macos', 'universal'],
          ['macos', 'arm64'],
        ],
        'darwin',
        'aarch64',
      ),
    ).toBe(exact)
    expect(
      urlFor(
        [
          ['macos', 'arm64'],
          ['macos', 'universal'],
        ],
        'darwin',
        'aarch64',
      ),
    ).toBe(exact)
  })

  test.each(['universal', 'any'])('takes %s for an arch without its own', (arch) => {
    expect(
      urlFor(
        [
          ['macos', 'arm64'],
          ['macos', arch],
        ],
        'mac',
        'x64',
      ),
    ).toContain(`macos-${arch}`)
    expect(urlFor([['macos', arch]], 'mac', 'riscv64')).toContain(`macos-${arch}`)
  })

  test('takes nothing from another platform or another arch', () => {
    expect(
      urlFor(
        [
          ['macos', 'universal'],
          ['linux', 'x64'],
        ],
        'windows',
        'x64',
      ),
    ).toBeUndefined()
    expect(urlFor([['linux', 'x64']], 'linux', 'arm64')).toBeUndefined()
    expect(urlFor([], 'linux', 'arm64')).toBeUndefined()
  })
})
