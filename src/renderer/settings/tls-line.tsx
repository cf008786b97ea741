import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TlsFiles, TlsReport } from '../../shared/console/settings.ts'
import { shell } from '../bridge/clients.ts'
import { When } from '../components/when.tsx'
import classes from './settings.module.css'

const MONTH = 30 * 86_400_000

/** What the two files are, looked at while they are chosen. */
export function TlsLine({ certFile, keyFile }: TlsFiles) {
  const [files] = useDebouncedValue({ certFile: certFile.trim(), keyFile: keyFile.trim() }, 300)
  const named = files.certFile !== '' && files.keyFile !== ''
  const { data } = useQuery(
    shell.shell.checkTls.queryOptions(files, {
      enabled: named,
      staleTime: 0,
      placeholderData: keepPreviousData,
    }),
  )
  return (
    <Text component="div" size="sm" role="status" mih={24}>
      {named && data !== undefined && <Report report={data} />}
    </Text>
  )
}

function Report({ report }: { readonly report: TlsReport }) {
  if (!report.ok) {
    const what = report.field === 'certFile' ? 'The certificate file' : 'The key file'
    return (
      <span className={classes.state} data-tone="bad">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {what} {report.message}
      </span>
    )
  }
  const left = Date.parse(report.expiresAt) - Date.now()
  const Icon = left < MONTH ? IconAlertTriangle : IconShieldCheck
  return (
    <span className={classes.state} data-tone={left < 0 ? 'bad' : left < MONTH ? 'warn' : 'good'}>
      <Icon size={16} aria-hidden="true" />
      <span>
        {report.names.join(', ')}: {left < 0 ? 'expired' : 'expires'} <When at={report.expiresAt} />
        . {report.selfSigned ? 'Signed by itself.' : `Issued by ${report.issuer}.`}
      </span>
    </span>
  )
}
