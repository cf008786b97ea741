import { describe, expect, it } from 'vitest'
import { guessTarget } from '../../../../src/renderer/releases/artifacts/guess.ts'

describe('the guess from a file name', () => {
  it.each([
    ['Editor_1.4.0_aarch64.app.tar.gz', 'darwin', 'aarch64'],
    ['Editor-1.4.0-arm64-mac.zip', 'darwin', 'aarch64'],
    ['Editor_1.4.0_universal.dmg', 'darwin', 'any'],
    ['editor_1.4.0_amd64.AppImage', 'linux', 'x86_64'],
    ['editor-1.4.0-linux-armv7l.tar.gz', 'linux', 'armv7'],
    ['Editor_1.4.0_x64-setup.exe', 'windows', 'x86_64'],
    ['Editor_1.4.0_x64_en-US.msi', 'windows', 'x86_64'],
    ['editor-win32-ia32.zip', 'windows', 'i686'],
    ['Editor Setup 1.4.0.exe', 'windows', ''],
    ['darwinia.bin', '', ''],
  ])('%s', (name, platform, arch) => {
    expect(guessTarget(name)).toEqual({ platform, arch })
  })
})
