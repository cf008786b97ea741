import { Code, Text } from '@mantine/core'
import { IconCertificate, IconCompass, IconDatabaseX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Outlet, useNavigate, useRouteError } from 'react-router'
import { type CertificateState, expiryOf } from '../../shared/operation/certificate.ts'
import type { DatabaseTrouble } from '../../shared/operation/storage-problem.ts'
import { isDesktop, server, shellClient } from '../bridge/clients.ts'
import { useIsOwnServer } from '../bridge/servers.tsx'
import { ErrorNotice, Notice } from '../components/blocks.tsx'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { When } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { StopDialog } from '../releases/stop/stop-dialog.tsx'
import classes from './layout.module.css'
import { Navigation } from './navigation.tsx'
import { LaterPalette } from './palette/later-palette.tsx'
import { openPalette } from './palette/palette-store.ts'
import { PLACES, type Place } from './places.ts'
import { ServerBanner } from './server-banner.tsx'
import { DATABASE_WORDS, EXPIRY_TITLES, REFUSED_WORDS, text } from './strings.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** With all texts of the settings, which few need at once. */
const NotAppliedNotice = lazy(async () => ({
  default: (await import('../settings/not-applied-notice.tsx')).NotAppliedNotice,
}))

const InUseBar = lazy(async () => ({
  default: (await import('../servers/switcher.tsx')).InUseBar,
}))

/** The frame around every screen: where one can go, how the server is, and the screen. */
export function Layout() {
  const main = useRef<HTMLElement>(null)
  useMenuCommands()
  useScrollMemory(main)
  return (
    <div className={classes.window}>
      <button
        type="button"
        className="skip"
        onClick={() => document.getElementById('content')?.focus()}
      >
        {text.skip}
      </button>
      {isDesktop() && (
        <Suspense>
          <InUseBar />
        </Suspense>
      )}
      <div className={classes.frame}>
        <Navigation />
        <LaterPalette />
        <StopDialog />
        <div className={classes.side}>
          <div className={classes.banner}>
            <ServerBanner />
          </div>
          <main ref={main} id="content" tabIndex={-1} className={classes.main}>
            <div className={classes.width}>
              <ServerNotices />
              <Outlet />
            </div>
          </main>
        </div>
      </div>
    </div>
  )
}

/** Opens the screen or the palette that is chosen in the application's menu. */
function useMenuCommands(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const open = (place: Place['id']) => {
      const found = PLACES.find(({ id }) => id === place)
      if (found !== undefined) void navigate(found.to)
    }
    const subscription = shellClient.shell.menuCommands.subscribe(undefined, {
      onData: (command) => {
        if (command === 'palette') openPalette()
        else if (command === 'publish') void navigate(paths.publish)
        else open(command)
      },
    })
    return () => subscription.unsubscribe()
  }, [navigate])
}

/** Milliseconds between status checks. */
const LOOK = 5_000

/** Shows problems with the database or the certificate above every screen. */
function ServerNotices() {
  const isOwn = useIsOwnServer()
  const { data } = useQuery(server.status.get.queryOptions(undefined, { refetchInterval: LOOK }))
  return (
    <div className={classes.notices}>
      <Suspense>{isDesktop() && isOwn && <NotAppliedNotice />}</Suspense>
      <DatabaseNotice database={data?.database ?? null} />
      <CertificateNotice certificate={data?.certificate ?? null} />
    </div>
  )
}

/** Shows that the database file of the running server is missing, replaced or emptied. */
function DatabaseNotice({ database }: { readonly database: DatabaseTrouble | null }) {
  if (database === null) return null
  const { title, fix } = DATABASE_WORDS[database.issue]
  return (
    <Notice icon={IconDatabaseX} color="red" title={title}>
      <Text size="sm">
        <Code>{database.file}</Code>, {text.database.noticed} <When at={database.since} />.{' '}
        {text.database.effect} {fix}
      </Text>
    </Notice>
  )
}

/** Shows that the server's certificate expires soon, or that its replacement cannot be used. */
function CertificateNotice({ certificate }: { readonly certificate: CertificateState | null }) {
  if (certificate === null) return null
  const { expiresAt, refused } = certificate
  const expiry = expiryOf(expiresAt, Date.now())
  if (refused === null && expiry === 'ok') return null
  return (
    <Notice
      icon={IconCertificate}
      color={expiry === 'expired' ? 'red' : 'yellow'}
      title={expiry === 'ok' ? text.certificate.refused : EXPIRY_TITLES[expiry]}
    >
      {refused === null ? (
        <>
          {text.certificate.validUntil} <When at={expiresAt} />. {text.certificate.replace}
        </>
      ) : (
        <>
          {REFUSED_WORDS[refused.issue]} {text.certificate.previous} <When at={expiresAt} />.
        </>
      )}
    </Notice>
  )
}

/** Stands where no screen is, and where a screen failed to draw. */
export function NotFoundScreen() {
  const error = useRouteError()
  return (
    <>
      <PageHeader title={error ? text.failed : text.notFound} />
      <ErrorNotice error={error} title={text.failedNotice} />
      <EmptyState
        icon={IconCompass}
        title={text.startOver}
        link={{ to: paths.overview, name: text.openOverview }}
        hint={text.startOverHint}
      />
    </>
  )
}
