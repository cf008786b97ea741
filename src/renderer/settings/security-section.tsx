import { Fieldset, Switch } from '@mantine/core'
import { useRef, useState } from 'react'
import { Security, type SettingsView } from '../../shared/console/settings/settings.ts'
import { ConfirmDialog } from '../components/dialog/dialog-form.tsx'
import { entriesOf } from '../components/text/sentence.ts'
import { NumberFields, PathField } from './fields.tsx'
import { NUMBERS } from './number-strings.ts'
import { readNumbers, type Typed, typed, wideRange } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import { ProxiesField, TlsLine } from './security-fields.tsx'
import classes from './settings.module.css'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'

interface Draft {
  readonly secure: boolean
  readonly certFile: string
  readonly keyFile: string
  readonly limits: Typed<'limits'>
  readonly budgets: Typed<'budgets'>
  readonly connections: Typed<'connections'>
  readonly proxies: string
}

const toDraft = ({ tls, limits, budgets, trustProxy, ...connections }: Security): Draft => ({
  secure: tls !== null,
  certFile: tls?.certFile ?? '',
  keyFile: tls?.keyFile ?? '',
  limits: typed(limits),
  budgets: typed(budgets),
  connections: typed(connections),
  proxies: trustProxy.join('\n'),
})
const toInput = ({ secure, certFile, keyFile, limits, budgets, connections, proxies }: Draft) => ({
  tls: secure ? { certFile, keyFile } : null,
  limits: readNumbers(limits),
  budgets: readNumbers(budgets),
  ...readNumbers(connections),
  trustProxy: entriesOf(proxies),
})

/** TLS, limits, and which proxies set the address of a client. */
export function SecuritySection({ view }: { readonly view: SettingsView }) {
  const section = useSection({ name: 'security', schema: Security, view, toDraft, toInput })
  const { draft, change, issues } = section
  const [isTyping, setTyping] = useState(false)
  const [asks, setAsks] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const wide = wideRange(entriesOf(draft.proxies))
  const isNewlyWide = wide !== undefined && !view.settings.security.trustProxy.includes(wide)
  return (
    <>
      <SectionForm
        title={text.security}
        {...section}
        submit={(submitted) => {
          form.current = submitted
          if (isNewlyWide && section.valid) setAsks(true)
          else section.submit(submitted)
        }}
      >
        <Switch
          label={text.https}
          description={text.httpsHint}
          checked={draft.secure}
          onChange={(event) => change({ secure: event.currentTarget.checked })}
        />
        {draft.secure && (
          <>
            <PathField
              kind="certificate"
              label={text.certificate}
              description={text.certificateHint}
              value={draft.certFile}
              issue={issues.get('tls.certFile')}
              onChange={(certFile) => change({ certFile })}
              onTyping={setTyping}
            />
            <PathField
              kind="key"
              label={text.key}
              description={text.keyHint}
              value={draft.keyFile}
              issue={issues.get('tls.keyFile')}
              onChange={(keyFile) => change({ keyFile })}
              onTyping={setTyping}
            />
            <TlsLine
              certFile={draft.certFile}
              keyFile={draft.keyFile}
              isQuiet={isTyping || issues.has('tls.certFile') || issues.has('tls.keyFile')}
            />
          </>
        )}
        <Fieldset variant="unstyled" className={classes.limits ?? ''} legend={text.limits}>
          <NumberFields
            fields={NUMBERS.limits}
            values={draft.limits}
            issues={issues}
            path="limits"
            onChange={(limits) => change({ limits })}
          />
        </Fieldset>
        <Fieldset variant="unstyled" className={classes.limits ?? ''} legend={text.budgets}>
          <NumberFields
            fields={NUMBERS.budgets}
            values={draft.budgets}
            issues={issues}
            path="budgets"
            onChange={(budgets) => change({ budgets })}
          />
        </Fieldset>
        <NumberFields
          fields={NUMBERS.connections}
          values={draft.connections}
          issues={issues}
          onChange={(connections) => change({ connections })}
        />
        <ProxiesField
          value={draft.proxies}
          wide={wide}
          issues={issues}
          onChange={(proxies) => change({ proxies })}
        />
      </SectionForm>
      <ConfirmDialog
        opened={asks}
        title={text.wideTitle}
        action={text.wideAction}
        onConfirm={() => {
          setAsks(false)
          if (form.current !== null) section.submit(form.current)
        }}
        onClose={() => setAsks(false)}
      >
        {wide !== undefined && text.wide(wide)}
      </ConfirmDialog>
    </>
  )
}
