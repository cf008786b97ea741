import type { RootContent } from 'hast'
import { expect, test } from 'vitest'
import { type Piece, piecesOf, SLICE } from '../../../../src/renderer/releases/notes/notes.tsx'
import { parseNotes } from '../../../../src/renderer/releases/notes/parse-notes.ts'

const LONG_LIST = Array.from({ length: 300 }, (_, n) => `- item ${n} with \`code\``).join('\n')
const LONG_TABLE = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(200)}`
const LONG_LINE = Array.from({ length: 200 }, (_, n) => `[${n}](https://example.com/${n})`).join(
  ' ',
)

test('nothing that runs or loads is left in parsed notes', () => {
  const parsed = JSON.stringify(
    parseNotes(
      '<script>alert(1)</script>\n\n[x](javascript:alert(1)) <b onclick="alert(1)">y</b>\n\n[z](data:text/html,1)',
    ),
  )
  expect(parsed).not.toMatch(/javascript:|onclick|script|data:/)
  expect(parsed).toContain('"z"')
})

test.each([
  ['a long list', LONG_LIST],
  ['a long table', LONG_TABLE],
  ['a long line', LONG_LINE],
  ['many paragraphs', 'A paragraph.\n\n'.repeat(300)],
  ['short notes', '## Fixed\n\n- a crash'],
])('%s: pieces are small, and together everything in its order', (_, markdown) => {
  const nodes = parseNotes(markdown)
  const pieces = piecesOf(nodes)
  expect(Math.max(...leaves(pieces).map(({ size }) => size))).toBeLessThanOrEqual(SLICE)
  expect(leaves(pieces).map(textOfPiece).join('').replace(/\s/g, '')).toBe(
    nodes.map(textOf).join('').replace(/\s/g, ''),
  )
})

test('blanks between links stay, and those between the rows of a table are left out', () => {
  expect(
    leaves(piecesOf(parseNotes(LONG_LINE)))
      .map(textOfPiece)
      .join(''),
  ).toContain('0 1 2')
  const [table] = piecesOf(parseNotes(LONG_TABLE))
  const body = table?.parts?.at(-1)
  expect(body?.parts?.every(({ node }) => node.type === 'element')).toBe(true)
})

function leaves(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece) => (piece.parts === undefined ? [piece] : leaves(piece.parts)))
}

function textOfPiece({ node }: Piece): string {
  return textOf(node)
}

function textOf(node: RootContent): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
