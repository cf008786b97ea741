import { expect, test, vi } from 'vitest'
import { printNodes } from '../../src/server/cli/node-table.ts'
import { PageCode } from '../support/docs/page.ts'

const code = new PageCode('docs/postgresql.md')
const listed = code.takeOne('List the nodes', '')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the list of the nodes is as the commands print it', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const nodes = [
    ...[{ name: 'web-1', address: 'http://10.0.0.11:8440', lease: 'ok', changesBehind: 0 }],
    ...[{ name: 'web-2', address: 'http://10.0.0.12:8440', lease: 'ended', changesBehind: 3 }],
  ] as const
  printNodes(nodes.map((node) => ({ ...node, version: '1.4.0' })))
  const printed = write.mock.calls.map(([text]) => text).join('')
  write.mockRestore()
  expect(printed.trim()).toBe(listed)
})
