import { Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TlsReport } from '../../shared/console/settings/setting-issue.ts'
import type { TlsFiles } from '../../shared/console/settings/settings.ts'
import { shell } from '../bridge/clients.ts'
import { Notice } from '../components/blocks.tsx'
import { entriesOf } from '../components/text/sentence.ts'
import { Toned, When } from '../components/text/words.tsx'
import { settingIssueText } from './issue-strings.ts'
import type { Issues } from './read-section.ts'
import classes from './settings.module.css'
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
  for (const [index, proxy] of entriesOf(typed).entries()) {
    const issue = issues.get(`trustProxy.${index}`)
    if (issue !== undefined) return ended(`${proxy} ${issue}`)
  }
  const issue = issues.get('trustProxy')
  return issue === undefined ? undefined : ended(`${text.proxies} ${issue}`)
}

function ended(words: string): string {
  return words.endsWith('.') ? words : `${words}.`
}

const MONTH = 30 * 86_400_000

interface TlsLineProps extends TlsFiles {
  /** One of the paths is still being typed, or its field says already what is wrong. */
  readonly isQuiet: boolean
}

/** Shows what the two files contain once they are chosen. */
export function TlsLine({ isQuiet, ...paths }: TlsLineProps) {
  const files = { certFile: paths.certFile.trim(), keyFile: paths.keyFile.trim() }
  const ready = !isQuiet && files.certFile !== '' && files.keyFile !== ''
  const options = { enabled: ready, staleTime: 0, placeholderData: keepPreviousData }
  const { data } = useQuery(shell.shell.checkTls.queryOptions(files, options))
  return (
    <Text component="div" size="sm" role="status" mih={24}>
      {ready && data !== undefined && <Report report={data} />}
    </Text>
  )
}

function Report({ report }: { readonly report: TlsReport }) {
  if (!report.ok) {
    const what = report.field === 'certFile' ? text.certificate : text.key
    return (
      <Toned tone="bad" icon={IconAlertTriangle} size={16} gap={6} className={classes.state}>
        {what} {settingIssueText(report.issue)}
      </Toned>
    )
  }
  const left = Date.parse(report.expiresAt) - Date.now()
  const Icon = left < MONTH ? IconAlertTriangle : IconShieldCheck
  const tone = left < 0 ? 'bad' : left < MONTH ? 'warn' : 'good'
  return (
    <Toned tone={tone} icon={Icon} size={16} gap={6} className={classes.state}>
      <span>
        {report.names.join(', ')}: {left < 0 ? text.expired : text.expires}{' '}
        <When at={report.expiresAt} />.{' '}
        {report.selfSigned ? text.selfSigned : text.issuedBy(report.issuer)}
      </span>
    </Toned>
  )
}
