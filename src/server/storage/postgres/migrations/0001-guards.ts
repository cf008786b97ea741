/** What no bug and no hand-written statement may do to what devices were offered. */
export const GUARDS = `    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '%', TG_ARGV[0];
      END
    $$;

    CREATE TRIGGER releases_immutable BEFORE UPDATE ON releases FOR EACH ROW
      WHEN ((OLD.id, OLD.app_key, OLD.channel_key, OLD.version, OLD.notes, OLD.created_at)
        IS DISTINCT FROM (NEW.id, NEW.app_key, NEW.channel_key, NEW.version, NEW.notes, NEW.created_at))
      EXECUTE FUNCTION refuse('a release is immutable: its channel, version, notes and creation time never change');

    CREATE TRIGGER releases_rolled_back_for_good BEFORE UPDATE ON releases FOR EACH ROW
      WHEN (OLD.status = 'rolled_back' AND (NEW.status <> OLD.status
        OR NEW.rollout_pct <> OLD.rollout_pct OR NEW.targets::text <> OLD.targets::text))
      EXECUTE FUNCTION refuse('a rolled-back release can never be served again');

    CREATE TRIGGER releases_offered_for_good BEFORE UPDATE ON releases FOR EACH ROW
      WHEN (NEW.offered < OLD.offered)
      EXECUTE FUNCTION refuse('a release that was offered stays offered');

    CREATE TRIGGER releases_rollout_only_grows BEFORE UPDATE ON releases FOR EACH ROW
      WHEN (OLD.offered = 1 AND NEW.rollout_pct < OLD.rollout_pct)
      EXECUTE FUNCTION refuse('the rollout of an offered release can only grow');

    CREATE FUNCTION refuse_deleting_release() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM channels WHERE key = OLD.channel_key) THEN
          RAISE EXCEPTION 'a release is never deleted: roll it back instead';
        END IF;
        RETURN OLD;
      END
    $$;
    CREATE TRIGGER releases_never_deleted BEFORE DELETE ON releases FOR EACH ROW
      EXECUTE FUNCTION refuse_deleting_release();

    CREATE FUNCTION refuse_adding_artifact() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM releases WHERE id = NEW.release_id) THEN
          RAISE EXCEPTION 'a release is immutable: no artifact can be added';
        END IF;
        RETURN NEW;
      END
    $$;
    CREATE TRIGGER artifacts_closed BEFORE INSERT ON artifacts FOR EACH ROW
      EXECUTE FUNCTION refuse_adding_artifact();

    CREATE TRIGGER artifacts_immutable BEFORE UPDATE ON artifacts FOR EACH ROW
      EXECUTE FUNCTION refuse('a release is immutable: its artifacts never change');

    CREATE FUNCTION refuse_deleting_artifact() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM releases WHERE id = OLD.release_id) THEN
          RAISE EXCEPTION 'a release is immutable: its artifacts are never deleted';
        END IF;
        RETURN OLD;
      END
    $$;
    CREATE TRIGGER artifacts_never_deleted BEFORE DELETE ON artifacts FOR EACH ROW
      EXECUTE FUNCTION refuse_deleting_artifact();

    CREATE TRIGGER audit_immutable BEFORE UPDATE ON audit FOR EACH ROW
      EXECUTE FUNCTION refuse('the audit log is append-only');
    CREATE TRIGGER audit_never_deleted BEFORE DELETE ON audit FOR EACH ROW
      EXECUTE FUNCTION refuse('the audit log is append-only: an entry is never deleted');
    CREATE TRIGGER audit_never_emptied BEFORE TRUNCATE ON audit FOR EACH STATEMENT
      EXECUTE FUNCTION refuse('the audit log is append-only: an entry is never deleted');
`
