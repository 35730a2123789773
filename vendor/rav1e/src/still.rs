//! An encoder of one picture of up to 16 bits a sample. It is not generic: the code for these samples is compiled here, with the
//! optimisation that this crate has, not that of the crate which calls it.

use crate::api::{
  ChromaSampling, Config, Context, EncoderConfig, EncoderStatus, InvalidConfig,
};
use crate::frame::{Frame, FrameAlloc};

/// Codes one picture.
pub struct Still(Context<u16>);

impl Still {
  /// # Errors
  ///
  /// As [`Config::new_context`], which it calls for one thread.
  pub fn new(config: EncoderConfig) -> Result<Self, InvalidConfig> {
    let config = Config::new().with_encoder_config(config).with_threads(1);
    config.new_context().map(Self)
  }

  /// A frame to be filled, of the size and the chroma sampling of the configuration.
  pub fn new_frame(
    width: usize, height: usize, chroma_sampling: ChromaSampling,
  ) -> Frame<u16> {
    Frame::new(width, height, chroma_sampling)
  }

  /// The coded picture, and its sequence header as a container has it.
  ///
  /// # Errors
  ///
  /// As [`Context::receive_packet`].
  pub fn encode(
    self, frame: Frame<u16>,
  ) -> Result<(Vec<u8>, Vec<u8>), EncoderStatus> {
    let Self(mut context) = self;
    context.send_frame(frame)?;
    context.flush();
    let mut data = Vec::new();
    loop {
      match context.receive_packet() {
        Ok(packet) => data.extend(packet.data),
        Err(EncoderStatus::Encoded) => {}
        Err(EncoderStatus::LimitReached) => break,
        Err(cause) => return Err(cause),
      }
    }
    Ok((data, context.container_sequence_header()))
  }
}
