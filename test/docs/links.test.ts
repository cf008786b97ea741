import { existsSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, documentation, ROOT, readPage } from '../support/docs/page.ts'

/** The name that GitHub gives to a heading, without what makes repeated ones differ. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
}

function anchorsOf(page: string): string[] {
  const text = readPage(page).replace(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ''))
}

describe.each(documentation())('%s', (page) => {
  const text = withoutCode(readPage(page))
  const links = [
    ...[...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? ''),
    ...[...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, target]) => target ?? ''),
  ].filter((target) => !/^https?:/.test(target))

  test('its links lead somewhere', () => {
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? page : normalize(join(dirname(page), file))
      if (!existsSync(join(ROOT, target))) return true
      return anchor !== undefined && !anchorsOf(target).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  test('its notes are cited, and those of a comparison have a link and a date', () => {
    const notes = [...text.matchAll(/^\[\^([^\]]+)\]: (.*)$/gm)]
    const cited = [...text.matchAll(/\[\^([^\]]+)\](?!:)/g)].map(([, name]) => name)
    expect(new Set(notes.map(([, name]) => name))).toEqual(new Set(cited))
    if (page !== 'docs/compare.md') return
    const source = /^[^,]+, \[.+\]\(https:\/\/\S+\), (?:undated|\d{4}-\d\d-\d\d)$/
    expect(notes.map(([, , note = '']) => note).filter((note) => !source.test(note))).toEqual([])
  })

  test('its headings have names of their own', () => {
    const anchors = anchorsOf(page)
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
  })

  test('its code is run by a test', () => {
    const hasTest = existsSync(join(ROOT, 'test/docs', `${basename(page, '.md')}.test.ts`))
    expect(hasTest || blocksOf(readPage(page)).length === 0).toBe(true)
  })
})
