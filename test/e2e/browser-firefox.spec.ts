import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/processes/ports.ts'
import { needs } from '../support/tools.ts'
import { PERSON, serveConsole } from './support/browser.ts'
import { newUserData } from './support/console.ts'
import { Firefox } from './support/firefox.ts'
import type { StartedServer } from './support/start-server.ts'

/** Drops files as `dropFiles` does, which needs Playwright. */
const DROP = `(() => {
  const transfer = new DataTransfer()
  const url = 'https://downloads.example.com/Editor_1.0.0_amd64.AppImage'
  const platforms = { 'linux-x86_64': { signature: 'c2ln', url } }
  transfer.items.add(new File([JSON.stringify({ version: '1.0.0', platforms })], 'latest.json'))
  transfer.items.add(new File(['built'], 'Editor_1.0.0_amd64.AppImage'))
  const options = { dataTransfer: transfer, bubbles: true, cancelable: true }
  document.querySelector('section[aria-label="Add files"]').dispatchEvent(new DragEvent('drop', options))
})()`

describe('in Firefox', needs('firefox-esr'), () => {
  const folder = newUserData()
  let served: StartedServer
  let firefox: Firefox

  beforeAll(async () => {
    served = await serveConsole(join(folder, 'data'), await freePort())
    firefox = await Firefox.start()
    if (served.code !== null) await firefox.setCookie(served.console, 'tidegate-code', served.code)
  })
  afterAll(async () => {
    await firefox?.stop()
    await served?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('somebody sets up a server, publishes and stops a release, and every screen fits', async () => {
    await firefox.goTo(`${served.console}#/link/${served.link}`)
    await firefox.type('Name', PERSON.name)
    await firefox.type('New password', PERSON.password)
    await firefox.click('button', 'Create account')
    await firefox.click('link', 'Publish a release')
    await firefox.find('css', 'section[aria-label="Add files"]')
    await firefox.evaluate(DROP)
    await firefox.find('table', 'Files')
    await firefox.click('button', 'Publish')
    await firefox.click('button', 'Publish 1.0.0')
    await firefox.click('button', 'Stop 1.0.0')
    await firefox.find('dialog', 'Stop 1.0.0')
    await firefox.find('css', '[role=dialog] [role=status]')
    await firefox.click('button', 'Close')
    await firefox.find('button', 'Resume 1.0.0')
    const paths = [
      '',
      'fleet',
      'releases',
      'releases/editor/stable/1.0.0',
      'calendar',
      'devices',
      'apps',
      'keys',
      'people',
      'audit',
      'settings',
      'account',
    ]
    for (const width of [1_280, 390]) {
      await firefox.resize(width, 844)
      for (const path of paths) {
        await firefox.goTo(`${served.console}#/${path}`)
        const overflow = await firefox.evaluate(`new Promise((resolve) => {
          const look = () => {
            const main = document.querySelector('main')
            const isThere = document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null
            if (!isThere || main === null) return requestAnimationFrame(look)
            const { scrollWidth, clientWidth } = document.documentElement
            resolve(Math.max(scrollWidth - clientWidth, main.scrollWidth - main.clientWidth))
          }
          look()
        })`)
        expect.soft({ path, width, overflow }).toEqual({ path, width, overflow: 0 })
      }
    }
  })
})
