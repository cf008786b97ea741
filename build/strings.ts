import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Text, textsOfComponent, textsOfModule } from './strings/collect.ts'
import { type Surface, surfaces } from './strings/surfaces.ts'

// `npm run strings [file]`: writes every text of the product to one file, by surface, to be proofread
// apart from the code.

const ROOT = join(import.meta.dirname, '..')
const file = process.argv[2] ?? join(ROOT, 'out/strings.txt')

const sections = surfaces().map(sectionOf)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${sections.flatMap(({ lines }) => lines).join('\n')}\n`)
const count = sections.reduce((sum, section) => sum + section.texts, 0)
process.stdout.write(`${count} texts in ${file}\n`)

function sectionOf({ title, modules, components }: Surface) {
  const lines = [
    ...modules.flatMap((name) => linesOf(name, textsOfModule(name, read(name)))),
    ...components.flatMap((name) => linesOf(name, textsOfComponent(name, read(name)))),
  ]
  if (lines.length === 0) return { texts: 0, lines }
  return { texts: lines.length, lines: [`## ${title}`, '', ...lines, ''] }
}

function linesOf(name: string, texts: readonly Text[]): string[] {
  return texts.map(({ line, text }) => `${name}:${line}\t${text}`)
}

function read(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8')
}
