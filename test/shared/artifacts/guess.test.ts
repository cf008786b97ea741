import { describe, expect, it } from 'vitest'
import { completeAddress, isBaseAddress } from '../../../src/shared/artifacts/address.ts'
import { versionInName } from '../../../src/shared/artifacts/file-name.ts'
import { guessAppName, guessTarget } from '../../../src/shared/artifacts/guess.ts'

describe('the guess from a file name', () => {
  it.each([
    ['Editor_1.4.0_aarch64.app.tar.gz', 'darwin', 'aarch64', 'app'],
    ['Editor-1.4.0-arm64-mac.zip', 'darwin', 'aarch64', 'zip'],
    ['Editor_1.4.0_universal.dmg', 'darwin', 'any', 'dmg'],
    ['editor_1.4.0_amd64.AppImage', 'linux', 'x86_64', 'appimage'],
    ['editor_1.4.0_amd64.AppImage.tar.gz', 'linux', 'x86_64', 'appimage'],
    ['editor_1.4.0_arm64.deb', 'linux', 'aarch64', 'deb'],
    ['editor-1.4.0-1.x86_64.rpm', 'linux', 'x86_64', 'rpm'],
    ['editor-1.4.0-linux-armv7l.tar.gz', 'linux', 'armv7', ''],
    ['Editor_1.4.0_x64-setup.exe', 'windows', 'x86_64', 'nsis'],
    ['Editor_1.4.0_x64-setup.nsis.zip', 'windows', 'x86_64', 'nsis'],
    ['Editor_1.4.0_x64_en-US.msi', 'windows', 'x86_64', 'msi'],
    ['Editor_1.4.0_x64_en-US.msi.zip', 'windows', 'x86_64', 'msi'],
    ['editor-win32-ia32.zip', 'windows', 'i686', 'zip'],
    ['Editor Setup 1.4.0.exe', 'windows', '', 'nsis'],
    ['Editor-1.4.0-x64.exe', 'windows', 'x86_64', ''],
    ['setups-1.4.0.exe', 'windows', '', ''],
    ['Editor-1.4.0-full.nupkg', '', '', 'nupkg'],
    ['darwinia.bin', '', '', ''],
    ['Editor-1.4.0-arm.AppImage', 'linux', 'armv7', 'appimage'],
    ['editor-linux-arm.tar.gz', 'linux', 'armv7', ''],
    ['editor-1.4.0.armv7hl.rpm', 'linux', 'armv7', 'rpm'],
    ['editor-1.4.0-armv6l.AppImage', 'linux', 'armv6', 'appimage'],
    ['Editor-1.4.0-arm-mac.zip', 'darwin', 'aarch64', 'zip'],
    ['Robot Arm Setup 1.4.0.exe', 'windows', '', 'nsis'],
  ])('%s', (name, platform, arch, kind) => {
    expect(guessTarget(name)).toEqual({ platform, arch, kind })
  })
})

describe('the address of a file', () => {
  it('follows the folder, with or without its last slash, percent-encoded', () => {
    const address = 'https://dl.example/1.4.0/Editor%20Setup%231.exe'
    expect(completeAddress('https://dl.example/1.4.0', 'Editor%20Setup%231.exe')).toBe(address)
    expect(completeAddress('https://dl.example/1.4.0/', 'Editor%20Setup%231.exe')).toBe(address)
  })

  it('is empty without a folder that can be used', () => {
    expect(completeAddress('', 'a.exe')).toBe('')
    expect(completeAddress('file:///tmp', 'a.exe')).toBe('')
    expect(isBaseAddress('file:///tmp')).toBe(false)
    expect(isBaseAddress('')).toBe(true)
  })
})

it.each([
  ['Harbour-Editor-2.4.0-beta.2-x64-setup.exe', 'Harbour Editor', '2.4.0-beta.2'],
  ['Harbour Editor_1.0.0_amd64.AppImage', 'Harbour Editor', '1.0.0'],
  ['Harbour Editor Setup 1.0.0.exe', 'Harbour Editor', '1.0.0'],
  ['editor-linux-x86_64.deb', 'editor', ''],
  ['Harbour.app.tar.gz', 'Harbour', ''],
  ['1.2.3.exe', '', '1.2.3'],
])('%s is of the app "%s", version "%s"', (fileName, app, version) => {
  expect(guessAppName(fileName)).toBe(app)
  expect(versionInName(fileName)).toBe(version)
})
