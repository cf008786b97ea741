import { Textarea } from '@mantine/core'
import { Notice } from '../components/notice.tsx'
import { type Issues, readProxies } from './read-section.ts'
import { text } from './strings.ts'

interface Props {
  readonly value: string
  /** A range among them that includes addresses on the internet. */
  readonly wide: string | undefined
  readonly issues: Issues
  readonly onChange: (value: string) => void
}

/** The proxies that set the address of a client. */
export function ProxiesField({ value, wide, issues, onChange }: Props) {
  return (
    <>
      <Textarea
        label={text.proxies}
        description={text.proxiesHint}
        placeholder={text.noProxies}
        autosize
        minRows={2}
        maw={640}
        spellCheck={false}
        value={value}
        error={proxyIssue(value, issues)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {wide !== undefined && (
        <Notice role="status" maw={640}>
          {text.wide(wide)}
        </Notice>
      )}
    </>
  )
}

function proxyIssue(typed: string, issues: Issues): string | undefined {
  for (const [index, proxy] of readProxies(typed).entries()) {
    const issue = issues.get(`trustProxy.${index}`)
    if (issue !== undefined) return ended(`${proxy} ${issue}`)
  }
  const issue = issues.get('trustProxy')
  return issue === undefined ? undefined : ended(`${text.proxies} ${issue}`)
}

function ended(words: string): string {
  return words.endsWith('.') ? words : `${words}.`
}
