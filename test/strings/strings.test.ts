import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textsOfComponent, textsOfModule } from '../../build/strings/collect.ts'
import { surfaces } from '../../build/strings/surfaces.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(surfaces())('the texts of "$title" are in strings modules', ({ components }) => {
  const left = components.flatMap((file) =>
    textsOfComponent(file, source(file)).map(({ line, text }) => `${file}:${line} ${text}`),
  )
  expect(left).toEqual([])
})

test.each(surfaces().filter(({ modules }) => modules.length > 0))(
  'the modules of "$title" have texts',
  ({ modules }) => {
    for (const file of modules) expect(textsOfModule(file, source(file)), file).not.toEqual([])
  },
)

test('a strings module is read with its templates, without its codes', () => {
  const module = `import type { A } from './a module.ts'
export const text = {
  title: 'API keys',
  'on hold': 'Paused',
  revoked: (name: string) => \`Revoked \${name === 'x y' ? 'it' : name}\`,
  arrow: '→',
} as const
export function label(code: 'one code' | 'other'): string {
  switch (code) {
    case 'one code':
      return 'One'
    default:
      return 'Other'
  }
}
`
  expect(textsOfModule('strings.ts', module)).toEqual([
    { line: 3, text: 'API keys' },
    { line: 4, text: 'Paused' },
    { line: 5, text: 'Revoked {…}' },
    { line: 5, text: 'it' },
    { line: 11, text: 'One' },
    { line: 13, text: 'Other' },
  ])
})

test('a component is read between its tags, in attributes and in members that are shown', () => {
  const component = `export const Panel = ({ isOpen, name, text }: Props) => {
  notify({ title: 'Key created', color: 'green' })
  return (
    <Modal title={\`Key \${name}\`} size="lg" aria-label={isOpen ? 'Open' : text.closed}>
      Two
      words {isOpen && 'three'} {text.four} · 5
    </Modal>
  )
}
`
  expect(textsOfComponent('panel.tsx', component).map(({ text }) => text)).toEqual([
    'Key created',
    'Key {…}',
    'Open',
    'Two words',
    'three',
  ])
})

function source(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
