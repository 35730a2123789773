//! What both engines of the database have to do, in one suite: each test runs on SQLite and on PostgreSQL.

#![allow(unreachable_pub, reason = "the modules of a test program")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

/// Makes two tests of each function: on SQLite, and on PostgreSQL.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $name() {
                    super::$name(crate::fixture::Fixture::sqlite().await).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $name() {
                    super::$name(crate::fixture::Fixture::postgres().await).await;
                }
            )+
        }
    };
}

mod callbacks;
mod fair_queue;
mod fixture;
mod keys;
mod migrations;
mod overview;
#[path = "../postgres/mod.rs"]
mod postgres;
mod processing;
mod queue;
mod rate_limit;
mod records;
mod several_inputs;
mod shared;
mod upgrade;
mod uploads;
