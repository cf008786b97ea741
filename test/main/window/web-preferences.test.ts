import { expect, test } from 'vitest'
import { webPreferences } from '../../../src/main/window/web-preferences.ts'

test.each([true, false])('the page is shut in, packaged: %s', (isPackaged) => {
  // All of it: what is not named here, such as Blink features, is not set at all.
  expect(webPreferences(isPackaged)).toEqual({
    preload: expect.stringMatching(/preload\.cjs$/),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    devTools: !isPackaged,
    spellcheck: process.platform === 'darwin',
  })
})
