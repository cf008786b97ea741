import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  changelogSection,
  changelogVersions,
} from '../../../../src/server/cli/publish/changelog.ts'

/** Changelogs as people and tools wrote them; names were replaced. */
const FOLDER = join(import.meta.dirname, '../../../support/manifests/changelogs')

const bodyOf = (markdown: string, name: string) => changelogSection(markdown, name)?.body

describe('the section of a version', () => {
  test.each([
    '## 1.4.0',
    '## v1.4.0',
    '## [1.4.0]',
    '## [1.4.0] - 2026-11-02',
    '## [v1.4.0](https://example.com/compare/v1.3.0...v1.4.0) (2026-11-02)',
    '## Editor 1.4.0: the fast one',
    '## Version 1.4.0',
    '## **1.4.0** (2026-11-02)',
    '## `v1.4.0`',
    '## editor@1.4.0',
    '## editor-v1.4.0 (2026-11-02)',
    '# 1.4.0 #',
    '   ### <a name="x"></a> 1.4.0',
    '1.4.0 / 2026-11-02\n------------------',
    'v1.4.0\n===',
    '## v.1.4.0 (2026-11-02)',
    '1.4.0. / 2026-11-02\n-----',
    '## V1.4.0',
    '## 1.4.0\u20142026-11-02',
    '## \u30101.4.0\u30112026-11-02',
  ])('is found under %j', (heading) => {
    const markdown = `# Changelog\n\n${heading}\n\n- Fixes printing\n\n### Details\n\nMore\n\n# 1.3.0\n\nOld\n`
    const body = bodyOf(markdown, '1.4.0')
    expect(body).toBe('- Fixes printing\n\n### Details\n\nMore')
    expect(bodyOf(markdown.replaceAll('\n', '\r\n'), 'v1.4.0')).toBe(body)
  })

  test('is that of the version and no other', () => {
    const markdown =
      '## 1.4.0-rc.1\n\ncandidate\n\n## 11.4.0\n\neleven\n\n## 1.4.0+7\n\nbuild\n\n## 1.4.0\n\nfinal\n'
    expect(bodyOf(markdown, '1.4.0')).toBe('final')
    expect(bodyOf(markdown, '1.4.0-rc.1')).toBe('candidate')
    expect(bodyOf(markdown, '1.4.0+7')).toBe('build')
    expect(bodyOf(markdown, '1.4.0+8')).toBe('final')
    expect(bodyOf(markdown, '1.4')).toBeUndefined()
    expect(bodyOf(markdown, '1.5.0')).toBeUndefined()
    expect(changelogVersions(markdown)).toEqual(['1.4.0-rc.1', '11.4.0', '1.4.0+7', '1.4.0'])
  })

  test.each(['## 1.4', '## Version 1.4 (Build 250)', '## [1.4] - 2026-11-02', '## v1.4: fast'])(
    'can leave out a patch of 0: %j',
    (heading) => {
      const markdown = `# Changelog\n\n${heading}\n\nnew\n\n## 1.3\n\nold\n\n## 1.4.1\n\nother\n`
      expect(bodyOf(markdown, '1.4.0')).toBe('new')
      expect(bodyOf(markdown, '1.4.0+250')).toBe('new')
      expect(bodyOf(markdown, '1.4.2')).toBeUndefined()
    },
  )

  test.each([
    '**1.4.0 / 2026-11-02**',
    '**v1.4.0** (2026-11-02)',
    '**[1.4.0](https://example.com/1.4.0): the fast one**',
    '__1.4.0__',
    '1.4.0 / 2026-11-02',
    'Version 1.4.0 - 2nd November 2026:',
  ])('is found under %j where no heading names a version', (title) => {
    const older = title.replaceAll('1.4.0', '1.3.0')
    const markdown = `# Changelog\n\n**Note:** since 1.4.0\n\n${title}\n- Fixes\n\n### Also\n\n1.2.0 can be read\n\n${older}\nOld\n`
    expect(bodyOf(markdown, '1.4.0')).toBe('- Fixes\n\n### Also\n\n1.2.0 can be read')
    expect(bodyOf(markdown, '1.3.0')).toBe('Old')
    expect(changelogVersions(markdown)).toEqual(['1.4.0', '1.3.0'])
    expect(changelogVersions(`${markdown}\n## 1.1.0\n`)).toEqual(['1.1.0'])
  })

  test('is found under the four numbers of a build', () => {
    const markdown = '## 1.4.0.12\n\nnew\n\n## 1.4.0.11\n\nold\n'
    expect(bodyOf(markdown, '1.4.0+11')).toBe('old')
    expect(bodyOf(markdown, '1.4.0.12')).toBe('new')
    expect(changelogVersions(markdown)).toEqual(['1.4.0+12', '1.4.0+11'])
  })

  test('ends where code only looks like a heading', () => {
    const code = '```sh\n## 1.3.0\n```\n\n~~~~\n~~~\n## 1.2.0\n~~~~'
    const markdown = `## 1.4.0\n\n${code}\n\nafter\n\n## 1.3.0\n\nold\n`
    expect(bodyOf(markdown, '1.4.0')).toBe(`${code}\n\nafter`)
    expect(bodyOf(markdown, '1.3.0')).toBe('old')
  })

  test('has the references that it uses, wherever they are', () => {
    const markdown =
      '## [1.4.0]\n\nFixes [#7] and [printing][p].\n\n[P]: https://p.example\n\n## 1.3.0\n\nold\n\n[1.4.0]: https://c.example\n[#7]: https://i.example\n'
    expect(bodyOf(markdown, '1.4.0')).toBe(
      'Fixes [#7] and [printing][p].\n\n[P]: https://p.example\n[#7]: https://i.example',
    )
    expect(bodyOf(markdown, '1.3.0')).toBe('old')
  })

  test('can have any other name', () => {
    expect(bodyOf('## [Unreleased]\n\nnext\n', 'unreleased')).toBe('next')
    expect(bodyOf('## 1.4.0\n\n## 1.3.0\n', '1.4.0')).toBe('')
  })

  test('ends at the next version, whatever its level, and has parts of the level of a patch', () => {
    const markdown = `# Changelog

<a name="1.4.0"></a>
# [1.4.0](https://example.com/compare/v1.3.2...v1.4.0) (2026-11-02)


### Features

* dark mode

<a name="1.3.2"></a>
## [1.3.2](https://example.com/compare/v1.3.1...v1.3.2) (2026-10-20)

## Bug Fixes

* crash

# License

MIT
`
    expect(bodyOf(markdown, '1.4.0')).toBe('### Features\n\n* dark mode')
    expect(bodyOf(markdown, '1.3.2')).toBe('## Bug Fixes\n\n* crash')
    expect(changelogVersions(markdown)).toEqual(['1.4.0', '1.3.2'])
  })

  test('is not one that only mentions the version', () => {
    const markdown =
      '## 1.4.0\n\n- Fast\n\n### Migrating from 1.3.0\n\nExport first.\n\n## 1.3.0\n\nold\n'
    expect(bodyOf(markdown, '1.4.0')).toBe('- Fast\n\n### Migrating from 1.3.0\n\nExport first.')
    expect(bodyOf(markdown, '1.3.0')).toBe('old')
  })

  test('has no comments, and no line that separates it from the next', () => {
    const markdown = `# Changelog

<!-- template:
## [1.4.0] - YYYY-MM-DD
- nothing yet
-->

## 1.4.0

<!-- for 1.4.0 only -->

- Fast
- Fixed
---
## 1.3.0

\`\`\`npm install -g editor\`\`\`

- Old
---
`
    expect(bodyOf(markdown, '1.4.0')).toBe('- Fast\n- Fixed')
    expect(bodyOf(markdown, '1.3.0')).toBe('```npm install -g editor```\n\n- Old')
    expect(bodyOf(`\uFEFF${markdown}`, '1.3.0')).toBe(bodyOf(markdown, '1.3.0'))
  })
})

describe('a changelog that somebody has written', () => {
  const SECTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'bold.md': { '1.4.0': '- A', '1.3.0': '- B', '1.2.0': '- C' },
    'comment.md': {
      '1.4.0': '### Added\n\n- Real\n\n### Migrating from 1.3.0\n\n- Do this',
      '1.3.0': '- Real 1.3.0',
    },
    'inlinecode.md': {
      '1.5.0': 'Update with:\n\n```npm install -g editor```\n\n- Added A',
      ...{ '1.4.0': '- Added B', '1.3.0': '- Added C' },
    },
    'rules.md': { '1.4.0': '- New: dark mode\n- Fixed: crash on start', '1.3.0': '- Old' },
    'standard-version-9.md': {
      '1.4.0': '### Features\n\n* dark mode',
      '1.3.2': '### Bug Fixes\n\n* crash',
      ...{ '1.3.1': '### Bug Fixes\n\n* another', '1.3.0': '' },
    },
    'standard-version.md': {
      '2.4.0':
        '### Bug Fixes\n\n* **index.js:** use blue figures.info for last checkpoint ([#64](https://github.com/example/editor/issues/64)) ([e600b42](https://github.com/example/editor/commit/e600b42))\n\n### Features\n\n* use more default opts ([#67](https://github.com/example/editor/issues/67))',
      '2.3.1':
        '### Bug Fixes\n\n* **commit:** fix windows by separating add and commit exec ([#55](https://github.com/example/editor/issues/55))',
      '2.3.0':
        '### Bug Fixes\n\n* append line feed to end of package.json ([#42](https://github.com/example/editor/issues/42))',
    },
  }

  test.each(readdirSync(FOLDER))('has the section of every version: %s', (name) => {
    const markdown = readFileSync(join(FOLDER, name), 'utf8')
    const versions = changelogVersions(markdown)
    const found = versions.map((version) => [version, bodyOf(markdown, version)])
    expect(Object.fromEntries(found)).toEqual(SECTIONS[name])
  })
})
