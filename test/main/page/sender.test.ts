import { expect, test } from 'vitest'
import { consoleOf, trust } from '../../../src/main/page/sender.ts'

const page = { id: 1 }
const main = { origin: 'app://console', parent: null }
trust(page)

test('the main frame of the console may have a port', () => {
  expect(consoleOf({ sender: page, senderFrame: main })).toBe(page)
})

test.each([
  ['a window that was not opened as the console', { sender: { id: 1 }, senderFrame: main }],
  ['a frame in the console', { sender: page, senderFrame: { ...main, parent: main } }],
  ['a frame that has gone', { sender: page, senderFrame: null }],
])('%s may not', (_, event) => {
  expect(consoleOf<object>(event)).toBeUndefined()
})

test.each(['app://other', 'app://console.example', 'https://console', 'file://', 'null', ''])(
  'a page of the origin "%s" may not',
  (origin) => {
    const event = { sender: page, senderFrame: { origin, parent: null } }
    expect(consoleOf(event)).toBeUndefined()
  },
)
