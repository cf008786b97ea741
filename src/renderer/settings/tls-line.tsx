import { Text } from '@mantine/core'
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TlsReport } from '../../shared/console/setting-issue.ts'
import type { TlsFiles } from '../../shared/console/settings.ts'
import { shell } from '../bridge/clients.ts'
import { When } from '../components/text/when.tsx'
import { settingIssueText } from './issue-strings.ts'
import classes from './settings.module.css'
import { text } from './strings.ts'

const MONTH = 30 * 86_400_000

interface Props extends TlsFiles {
  /** One of the paths is still being typed, or its field says already what is wrong. */
  readonly isQuiet: boolean
}

/** Shows what the two files contain once they are chosen. */
export function TlsLine({ isQuiet, ...paths }: Props) {
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
      <span className={classes.state} data-tone="bad">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {what} {settingIssueText(report.issue)}
      </span>
    )
  }
  const left = Date.parse(report.expiresAt) - Date.now()
  const Icon = left < MONTH ? IconAlertTriangle : IconShieldCheck
  return (
    <span className={classes.state} data-tone={left < 0 ? 'bad' : left < MONTH ? 'warn' : 'good'}>
      <Icon size={16} aria-hidden="true" />
      <span>
        {report.names.join(', ')}: {left < 0 ? text.expired : text.expires}{' '}
        <When at={report.expiresAt} />.{' '}
        {report.selfSigned ? text.selfSigned : text.issuedBy(report.issuer)}
      </span>
    </span>
  )
}
