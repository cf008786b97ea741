import { describe, expect, test } from 'vitest'
import { needsSignature, unsignedFiles } from '../../../src/shared/files/unsigned.ts'

describe('needsSignature', () => {
  test.each([
    'Editor.app.tar.gz',
    'editor_1.1.0_amd64.AppImage',
    'Editor_1.1.0_x64-setup.exe',
    'Editor_1.1.0_x64_en-US.msi',
    'editor_1.1.0_amd64.AppImage.tar.gz',
    'Editor_1.1.0_x64-setup.nsis.zip',
    'Editor_1.1.0_x64_en-US.msi.zip',
    'EDITOR_X64-SETUP.EXE',
    'https://downloads.example.com/1.1.0/Editor%20Pro.app.tar.gz?token=a/b.zip#top',
    'https://downloads.example.com/%E0%A4%A.msi',
    'C:\\builds\\Editor.msi',
  ])('is true for %s', (name) => {
    expect(needsSignature(name)).toBe(true)
  })

  test.each([
    'Editor-1.1.0.dmg',
    'Editor-1.1.0.zip',
    'editor_1.1.0_amd64.deb',
    'editor-1.1.0.tar.gz',
    'Editor Setup 1.1.0.exe',
    'setup.exe',
    'Editor.app.tar.gz.sig',
    'https://downloads.example.com/Editor.msi/latest.zip',
    'https://downloads.example.com/get?file=Editor.msi',
    '',
  ])('is false for %s', (name) => {
    expect(needsSignature(name)).toBe(false)
  })
})

test('unsignedFiles returns each file without a signature once', () => {
  const at = (file: string, signature = '') => ({ url: `https://example.com/${file}`, signature })
  const artifacts = [
    at('Editor%20Pro.msi'),
    at('Editor.app.tar.gz', 'dW50cnVzdGVk'),
    at('editor.AppImage', ' \n'),
    at('editor.deb'),
    at('editor.AppImage'),
  ]
  expect(unsignedFiles(artifacts)).toEqual(['Editor Pro.msi', 'editor.AppImage'])
  expect(unsignedFiles([])).toEqual([])
})
